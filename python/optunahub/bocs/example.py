import optuna
import optunahub

BocsSampler = optunahub.load_module("samplers/bocs").BocsSampler


def objective(trial: optuna.Trial) -> float:
    x = [trial.suggest_categorical(f"x{i}", [False, True]) for i in range(12)]
    return sum((-1) ** i * a * b for i, (a, b) in enumerate(zip(x, x[1:])))


if __name__ == "__main__":
    study = optuna.create_study(sampler=BocsSampler(seed=1))
    study.optimize(objective, n_trials=60)
    print(study.best_trial.value)
