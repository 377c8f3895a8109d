"""Pages of one site that compete for the same searches, in groups, with what tells them apart and what to do."""

from analysis.cannibalization.groups import Advice, Competitors, Level, find_competitors, find_levels

__all__ = ["Advice", "Competitors", "Level", "find_competitors", "find_levels"]
