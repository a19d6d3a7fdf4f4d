from bocs.optuna import BocsSampler

__all__ = ["BocsSampler"]
