"""Pipelines of scikit-learn with several kinds of columns, and tree ensembles of XGBoost and LightGBM, converted by skl2onnx and onnxmltools in ways that are drawn."""

from __future__ import annotations

import importlib
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from oracle.onnx_bases import Builder, draws
from oracle.onnx_bases_sklearn import MODELS

# More than the older table has: module, class, options, kind of target
MORE: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "extra-trees": ("ensemble", "ExtraTreesClassifier", {"n_estimators": 3, "max_depth": 3}, "classes"), "hist-boosting": ("ensemble", "HistGradientBoostingClassifier", {"max_iter": 3}, "classes"),
    "hist-boosting-regressor": ("ensemble", "HistGradientBoostingRegressor", {"max_iter": 3}, "numbers"), "ada": ("ensemble", "AdaBoostClassifier", {"n_estimators": 3}, "classes"), "ada-regressor": ("ensemble", "AdaBoostRegressor", {"n_estimators": 3}, "numbers"),
    "bagging-regressor": ("ensemble", "BaggingRegressor", {"n_estimators": 2}, "numbers"), "tree-regressor": ("tree", "DecisionTreeRegressor", {"max_depth": 3}, "numbers"), "lasso": ("linear_model", "Lasso", {}, "numbers"),
    "elastic": ("linear_model", "ElasticNet", {}, "numbers"), "sgd": ("linear_model", "SGDClassifier", {"loss": "log_loss"}, "classes"), "huber": ("linear_model", "HuberRegressor", {}, "numbers"), "bayesian": ("linear_model", "BayesianRidge", {}, "numbers"),
    "poisson": ("linear_model", "PoissonRegressor", {}, "positive"), "quantile": ("linear_model", "QuantileRegressor", {"solver": "highs"}, "numbers"), "ridge-classifier": ("linear_model", "RidgeClassifier", {}, "classes"),
    "svc-probabilities": ("svm", "NuSVC", {"nu": 0.2}, "classes"), "neighbours-regressor": ("neighbors", "KNeighborsRegressor", {"n_neighbors": 3}, "numbers"), "radius": ("neighbors", "RadiusNeighborsRegressor", {"radius": 5.0}, "numbers"), "nearest-centroid": ("neighbors", "NearestCentroid", {}, "classes"),
    "bernoulli": ("naive_bayes", "BernoulliNB", {}, "classes"), "complement": ("naive_bayes", "ComplementNB", {}, "counts"), "multinomial": ("naive_bayes", "MultinomialNB", {}, "counts"), "qda": ("discriminant_analysis", "QuadraticDiscriminantAnalysis", {}, "classes"),
    "process-classifier": ("gaussian_process", "GaussianProcessClassifier", {}, "classes"), "mixture": ("mixture", "GaussianMixture", {"n_components": 2}, "none"), "bayesian-mixture": ("mixture", "BayesianGaussianMixture", {"n_components": 2}, "none"),
    "mini-means": ("cluster", "MiniBatchKMeans", {"n_clusters": 3, "n_init": 1}, "none"), "svd": ("decomposition", "TruncatedSVD", {"n_components": 2}, "none"), "kernel-pca": ("decomposition", "KernelPCA", {"n_components": 2}, "none"), "incremental-pca": ("decomposition", "IncrementalPCA", {"n_components": 2}, "none"),
    "min-max": ("preprocessing", "MinMaxScaler", {}, "none"), "max-abs": ("preprocessing", "MaxAbsScaler", {}, "none"), "robust": ("preprocessing", "RobustScaler", {}, "none"), "bins-hot": ("preprocessing", "KBinsDiscretizer", {"n_bins": 3, "encode": "onehot-dense"}, "none"),
    "best": ("feature_selection", "SelectKBest", {"k": 2}, "classes"), "knn-imputer": ("impute", "KNNImputer", {"n_neighbors": 2}, "none"), "projection": ("random_projection", "GaussianRandomProjection", {"n_components": 2}, "none"), "pls": ("cross_decomposition", "PLSRegression", {"n_components": 2}, "numbers"),
    "outliers": ("neighbors", "LocalOutlierFactor", {"novelty": True}, "none"),
}  # fmt: skip
JOINED = (
    "columns",
    "columns-forest",
    "text",
    "text-grams",
    "voting",
    "voting-regressor",
    "stacking",
    "stacking-regressor",
    "one-vs-rest",
    "one-vs-one",
    "multi-output",
    "multi-output-classifier",
    "calibrated",
    "chain",
    "grid",
    "union",
)
BOOSTED = (
    "XGBClassifier",
    "XGBRegressor",
    "XGBRFClassifier",
    "LGBMClassifier",
    "LGBMRegressor",
    "Booster",
    "CatBoostClassifier",
    "CatBoostRegressor",
)
OPSETS = ((12, 1), (13, 2), (15, 2), (17, 3), (18, 3), (19, 3), (21, 4), (21, 5))


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    warnings.filterwarnings("ignore")
    for name, row in {**MODELS, **MORE}.items():
        yield name, lambda path, row=row, name=name: _plain(path, row, draws(f"pipelines/{name}"))
    for name in JOINED:
        yield name, lambda path, name=name: _joined(path, name, draws(f"pipelines/{name}"))
    for name in BOOSTED:
        yield name.lower(), lambda path, name=name: _boosted(path, name, draws(f"pipelines/{name}"))


def _data(rng: random.Random, target: str) -> tuple[Any, Any]:
    columns = rng.choice((3, 4, 6))
    numbers = np.random.default_rng(rng.randrange(1000))
    x = numbers.normal(size=(40, columns)).astype(np.float32)
    if target == "counts":
        x = np.abs(np.round(x * 3))
    made = {
        "classes": (x[:, 0] > 0) + (x[:, 1] > rng.choice((1, 9))).astype(int), "numbers": x.sum(1) * 2, "positive": np.exp(x[:, 0]), "counts": (x[:, 0] > 1).astype(int), "none": None,
    }  # fmt: skip
    y = made[target]
    if target == "classes" and rng.random() < 0.3:
        y = np.array(["no", "yes", "maybe"])[y]
    return x, y


def _plain(path: Path, row: tuple[str, str, dict[str, Any], str], rng: random.Random) -> dict[str, Any]:
    module, cls, options, target = row
    x, y = _data(rng, target)
    model = getattr(importlib.import_module(f"sklearn.{module}"), cls)(**options)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    if rng.random() < 0.4 and target != "counts":
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        model = make_pipeline(StandardScaler(), model)
    model.fit(x) if y is None else model.fit(x, y)
    return _converted(path, model, x, rng)


def _converted(path: Path, model: Any, x: Any, rng: random.Random, types: Any = None) -> dict[str, Any]:
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType

    is_double = types is None and rng.random() < 0.15
    kind = DoubleTensorType if is_double else FloatTensorType
    types = types or [("X", kind([rng.choice((None, None, 3)), x.shape[1]]))]
    opset, ml = rng.choice(OPSETS)
    options = (
        {id(model): {"zipmap": rng.choice((False, "columns"))}}
        if hasattr(model, "predict_proba") and rng.random() < 0.6
        else None
    )
    for wanted in (options, None):
        try:
            made = to_onnx(model, initial_types=types, options=wanted, target_opset={"": opset, "ai.onnx.ml": ml})
        except (NameError, ValueError):  # a model without this option
            if wanted is None:
                raise
            continue
        break
    path.write_bytes(made.SerializeToString())
    if isinstance(x, dict):
        return {name: array[:3] for name, array in x.items()}
    return {made.graph.input[0].name: x[:3].astype(np.float64) if is_double else x[:3]}


def _joined(path: Path, name: str, rng: random.Random) -> dict[str, Any]:
    if name.startswith("columns"):
        return _columns(path, name, rng)
    if name.startswith("text"):
        return _text(path, name, rng)
    from sklearn import (
        calibration,
        ensemble,
        linear_model,
        model_selection,
        multiclass,
        multioutput,
        pipeline,
        preprocessing,
        tree,
    )

    classifier, regressor = linear_model.LogisticRegression(), linear_model.Ridge()
    trees, numbers = (
        tree.DecisionTreeClassifier(max_depth=3, random_state=0),
        tree.DecisionTreeRegressor(max_depth=3, random_state=0),
    )
    made = {
        "voting": (ensemble.VotingClassifier([("a", classifier), ("b", trees)], voting="soft"), "classes"), "voting-regressor": (ensemble.VotingRegressor([("a", regressor), ("b", numbers)]), "numbers"),
        "stacking": (ensemble.StackingClassifier([("a", classifier), ("b", trees)]), "classes"), "stacking-regressor": (ensemble.StackingRegressor([("a", regressor), ("b", numbers)]), "numbers"),
        "one-vs-rest": (multiclass.OneVsRestClassifier(classifier), "classes"), "one-vs-one": (multiclass.OneVsOneClassifier(classifier), "classes"), "multi-output": (multioutput.MultiOutputRegressor(regressor), "many"),
        "multi-output-classifier": (multioutput.MultiOutputClassifier(classifier), "many-classes"), "calibrated": (calibration.CalibratedClassifierCV(trees, cv=2), "classes"), "chain": (multioutput.RegressorChain(regressor), "many"),
        "grid": (model_selection.GridSearchCV(classifier, {"C": [1.0, 2.0]}, cv=2), "classes"), "union": (pipeline.make_pipeline(pipeline.make_union(preprocessing.StandardScaler(), preprocessing.MinMaxScaler()), classifier), "classes"),
    }  # fmt: skip
    model, target = made[name]
    x, y = _data(rng, "classes" if target.startswith("many") else target)
    many = {"many": x[:, :2] * 2, "many-classes": (x[:, :2] > 0).astype(int)}
    model.fit(x, many.get(target, y))
    return _converted(path, model, x, rng)


def _columns(path: Path, name: str, rng: random.Random) -> dict[str, Any]:
    """What a table of numbers and words becomes: an input for each column."""
    from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType
    from sklearn import compose, ensemble, impute, linear_model, pipeline, preprocessing

    try:
        import pandas as pd
    except ImportError as error:
        raise ValueError("pandas is not installed") from error
    numbers = np.random.default_rng(rng.randrange(1000))
    words = np.array(["red", "green", "blue"])[numbers.integers(0, 3, 40)]
    data = {
        "age": numbers.normal(size=40).astype(np.float32),
        "count": numbers.integers(0, 9, 40),
        "colour": words.astype(object),
    }
    steps = [
        (
            "n",
            pipeline.make_pipeline(impute.SimpleImputer(), preprocessing.StandardScaler()),
            ["age", "count"] if rng.random() < 0.5 else ["age"],
        ),
        ("w", preprocessing.OneHotEncoder(handle_unknown="ignore"), ["colour"]),
    ]
    last = (
        ensemble.RandomForestClassifier(3, max_depth=3, random_state=0)
        if name.endswith("forest")
        else linear_model.LogisticRegression()
    )
    model = pipeline.make_pipeline(compose.ColumnTransformer(steps), last)
    model.fit(pd.DataFrame(data), (data["age"] > 0).astype(int))
    types = [
        ("age", FloatTensorType([None, 1])),
        ("count", Int64TensorType([None, 1])),
        ("colour", StringTensorType([None, 1])),
    ]
    used = {column for _, _, columns in steps for column in columns}
    feeds = {
        key: (array.astype(str) if array.dtype == object else array).reshape(-1, 1)
        for key, array in data.items()
        if key in used
    }
    return _converted(path, model, feeds, rng, [row for row in types if row[0] in used])


def _text(path: Path, name: str, rng: random.Random) -> dict[str, Any]:
    from skl2onnx.common.data_types import StringTensorType
    from sklearn import linear_model, naive_bayes, pipeline
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    sentences = np.array(["a red fox", "the green tree", "blue sky red sun", "green fox", "the sky", "red tree"])
    way = (
        {"ngram_range": (1, 2), "lowercase": rng.random() < 0.5}
        if name.endswith("grams")
        else {"binary": rng.random() < 0.5}
    )
    counted = rng.choice((CountVectorizer, TfidfVectorizer))(**way)
    model = pipeline.make_pipeline(
        counted, rng.choice((linear_model.LogisticRegression(), naive_bayes.MultinomialNB()))
    )
    model.fit(sentences, [0, 1, 0, 1, 1, 0])
    return _converted(path, model, {"x": sentences}, rng, [("x", StringTensorType([None]))])


def _boosted(path: Path, name: str, rng: random.Random) -> dict[str, Any]:
    from onnxmltools import convert_lightgbm, convert_xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType

    x, y = _data(rng, "numbers" if name.endswith("Regressor") else "classes")
    y = np.unique(y, return_inverse=True)[1] if y.dtype.kind in "UO" else y
    if name.startswith("CatBoost"):
        return _saved(path, name, x, y, rng)
    size = {"n_estimators": rng.choice((2, 4)), "max_depth": rng.choice((2, 3))}
    library = importlib.import_module("xgboost" if name.startswith("XGB") else "lightgbm")
    if name == "Booster":
        model = library.train(
            {"objective": "regression", "verbose": -1, "min_data_in_leaf": 2}, library.Dataset(x, y.astype(float)), 3
        )
    else:
        model = getattr(library, name)(
            **size, **({} if name.startswith("XGB") else {"verbose": -1, "min_child_samples": 2})
        ).fit(x, y)
    convert = convert_xgboost if name.startswith("XGB") else convert_lightgbm
    more = {"zipmap": rng.random() < 0.5} if name == "LGBMClassifier" else {}
    made = convert(
        model, initial_types=[("x", FloatTensorType([None, x.shape[1]]))], target_opset=rng.choice((12, 13, 15)), **more
    )
    path.write_bytes(made.SerializeToString())
    return {"x": x[:3]}


def _saved(path: Path, name: str, x: Any, y: Any, rng: random.Random) -> dict[str, Any]:
    """CatBoost writes ONNX itself."""
    cls = getattr(importlib.import_module("catboost"), name)
    model = cls(iterations=rng.choice((2, 4)), depth=rng.choice((2, 3)), verbose=False, allow_writing_files=False).fit(
        x, y
    )
    model.save_model(
        str(path), format="onnx", export_parameters={"onnx_domain": "ai.catboost", "onnx_model_version": 1}
    )
    return {"features": x[:3]}
