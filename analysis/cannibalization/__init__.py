"""Pages of one site that compete for the same searches, in groups, with what tells them apart and what to do."""

from analysis.cannibalization.groups import Advice, Competitors, find_competitors
from analysis.cannibalization.levels import Level, find_levels
from analysis.cannibalization.merging import Sifted, hold_back

__all__ = ["Advice", "Competitors", "Level", "Sifted", "find_competitors", "find_levels", "hold_back"]
