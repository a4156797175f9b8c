"""The version of Fairfight: part of what decides whether two results may be added up."""

VERSION = "0.1.0"
