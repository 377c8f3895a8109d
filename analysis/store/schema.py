"""The layout of the crawl store at rest, in one place."""

from analysis.embedding.cache import CREATE_TABLE

SCHEMA_VERSION = "1"
FILE_NAME = "crawl.db"

SCHEMA = f"""
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, finished TEXT, reason TEXT, arguments TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS url (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, url TEXT NOT NULL, state TEXT NOT NULL,
    reason TEXT, detail TEXT, lastmod TEXT, hops INTEGER NOT NULL DEFAULT 0, UNIQUE (kind, key));
CREATE INDEX IF NOT EXISTS url_state ON url (kind, state, id);
CREATE TABLE IF NOT EXISTS alias (key TEXT PRIMARY KEY, target TEXT NOT NULL, kind TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS page (
    key TEXT PRIMARY KEY, url TEXT NOT NULL, fetched TEXT NOT NULL, raw_title TEXT NOT NULL, h1 TEXT NOT NULL,
    language TEXT NOT NULL, published TEXT, alternates TEXT NOT NULL, content BLOB NOT NULL, html BLOB, codec TEXT NOT NULL,
    etag TEXT NOT NULL, last_modified TEXT NOT NULL, lastmod TEXT NOT NULL, body_digest TEXT NOT NULL,
    first_run INTEGER NOT NULL, changed_run INTEGER NOT NULL, seen_run INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS decision (
    source TEXT NOT NULL, target TEXT NOT NULL, status TEXT NOT NULL, PRIMARY KEY (source, target)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS search_console (
    key TEXT NOT NULL, query TEXT NOT NULL, clicks REAL, impressions REAL, ctr REAL, position REAL,
    PRIMARY KEY (key, query)) WITHOUT ROWID;
{CREATE_TABLE};
"""
