"""Configuration: irlint.yaml, .irlint.yaml or pyproject.toml [tool.irlint]; the nearest one to a file holds for it."""

from irlint.config.base import Config, Overrides
from irlint.config.find import Configurations
from irlint.config.selectors import UnknownSelector
from irlint.config.source import ConfigError

__all__ = ["Config", "ConfigError", "Configurations", "Overrides", "UnknownSelector"]
