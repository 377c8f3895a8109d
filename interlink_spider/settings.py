"""Scrapy's settings and every INTERLINK_* default. The values are explained here and listed in the README."""

BOT_NAME = "interlink"
SPIDER_MODULES = ["interlink_spider.spiders"]
COMMANDS_MODULE = "interlink_spider.commands"

# --- what is read and where it goes -----------------------------------------------------------------------------------------

# Each site gets a folder of its own below this one: its crawl store and its outputs.
INTERLINK_OUTPUT_DIR = "output"
# False: crawl only; `scrapy plan` makes the plan later.
INTERLINK_PLAN_AT_CLOSE = True
# Keep the HTML of each page (compressed) in the store: placement is then proved on the real bytes.
INTERLINK_KEEP_HTML = True
# True: a page whose sitemap lastmod has not changed is not even asked for. Many sites' lastmod lies, so the default asks
# with ETag and Last-Modified instead.
INTERLINK_TRUST_LASTMOD = False
# Addresses of the site that texts link to and no sitemap lists: so many at most are asked where they lead, the most linked
# first, since old addresses redirect to pages that are listed. 0: none, and such links are not seen.
INTERLINK_UNLISTED_LINKS = 1000

# --- the plan (see analysis.config.PlanConfig, which checks these) -----------------------------------------------------------

# "learned": ranked and placed by what the site's own editors do; "semantic": the guide's method, by cosine alone.
INTERLINK_METHOD = "learned"
INTERLINK_EMBEDDER = "bundled"
INTERLINK_MODEL = ""
# INTERLINK_EMBEDDER "api": an OpenAI-compatible service and what one run may spend there. Its key comes from the environment:
# INTERLINK_API_KEY, or OPENAI_API_KEY and MISTRAL_API_KEY for the services of those names.
INTERLINK_API_BASE = "https://api.mistral.ai/v1"
INTERLINK_API_MAX_TOKENS = 10_000_000
# The chat model of that service which `scrapy weave` asks to rewrite paragraphs; off without a name.
INTERLINK_CHAT_MODEL = ""
# Where `scrapy index` puts article vectors: "local", "pgvector" (with INTERLINK_PG_DSN in the environment), or "pinecone" (with
# INTERLINK_INDEX_HOST here and PINECONE_API_KEY in the environment).
INTERLINK_INDEX = "local"
INTERLINK_INDEX_HOST = ""
INTERLINK_LINKS_PER_PAGE = 4
INTERLINK_MAX_LINKS = 4
INTERLINK_LINKS_TO_PAGE = 100
INTERLINK_MIN_SIMILARITY = 0.35
INTERLINK_MIN_SENTENCE_SIMILARITY = 0.5
INTERLINK_TEXT_CHARS = 1500
INTERLINK_WORKERS = 0
INTERLINK_LANGUAGES = ""
# True: after each plan, hide the site's own links and see how many a plan finds again (two more plans by each method).
INTERLINK_BACKTEST = False
# True: CSV files begin with a byte order mark, for a spreadsheet that guesses the encoding.
INTERLINK_CSV_BOM = False

# --- politeness -------------------------------------------------------------------------------------------------------------

USER_AGENT = "interlink-spider/1.0 (internal link planner)"
ROBOTSTXT_OBEY = True
# One site at a time is what we crawl; AutoThrottle finds the pace from here, never faster than the delay.
CONCURRENT_REQUESTS_PER_DOMAIN = 4
CONCURRENT_REQUESTS = 4  # Scrapy 2.19 forgets the limit above where the delay is 0
DOWNLOAD_DELAY = 0.1
DOWNLOAD_DELAY_JITTER = 0.5
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.5
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0
AUTOTHROTTLE_MAX_DELAY = 60.0
# A Retry-After longer than this (seconds) is not waited for; the page counts as failed.
INTERLINK_RETRY_AFTER_MAX = 300
RETRY_TIMES = 3
DOWNLOAD_TIMEOUT = 60
DOWNLOAD_MAXSIZE = 64 * 1024 * 1024  # the protocol's limit for a sitemap is 50 MB
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True
COOKIES_ENABLED = False
# Scrapy's default asks for English, which turns many multilingual sites to English whatever their URL.
DEFAULT_REQUEST_HEADERS = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}

DOWNLOADER_MIDDLEWARES = {
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "interlink_spider.middlewares.robots.RobotsTxtMiddleware": 100,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "interlink_spider.middlewares.retry_after.RetryAfterMiddleware": 550,
}

ITEM_PIPELINES = {
    "interlink_spider.pipelines.clean_html.CleanHtmlPipeline": 100,
    "interlink_spider.pipelines.paragraph_links.ParagraphLinksPipeline": 200,
    "interlink_spider.pipelines.page_language.PageLanguagePipeline": 300,
    "interlink_spider.pipelines.brand_tail.BrandTailPipeline": 400,
    "interlink_spider.pipelines.store.StorePipeline": 500,
}

EXTENSIONS = {"interlink_spider.extensions.plan_at_close.PlanAtClose": 900}

# --- the process ------------------------------------------------------------------------------------------------------------

# Scrapy 2.19 starts so many tasks for each answer; ours give one item (measured: a tenth of the time of a small page).
CONCURRENT_ITEMS = 1
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False  # on by default since Scrapy 2.19: it runs code that is sent to it
LOG_LEVEL = "INFO"
FEED_EXPORT_ENCODING = "utf-8"
