"""Pipelines of scikit-learn, fitted to a few rows and converted by skl2onnx: ai.onnx.ml's operators."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from oracle.onnx_bases import Builder

# name -> the module, the class, its options, and whether it has classes, numbers or no targets
MODELS: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "logistic": ("linear_model", "LogisticRegression", {}, "classes"), "ridge": ("linear_model", "Ridge", {}, "numbers"),
    "tree": ("tree", "DecisionTreeClassifier", {"max_depth": 3}, "classes"), "forest": ("ensemble", "RandomForestClassifier", {"n_estimators": 3, "max_depth": 3}, "classes"),
    "forest-regressor": ("ensemble", "RandomForestRegressor", {"n_estimators": 3, "max_depth": 3}, "numbers"), "boosting": ("ensemble", "GradientBoostingClassifier", {"n_estimators": 3}, "classes"),
    "boosting-regressor": ("ensemble", "GradientBoostingRegressor", {"n_estimators": 3}, "numbers"),
    "svc": ("svm", "SVC", {"probability": False}, "classes"), "svr": ("svm", "SVR", {}, "numbers"), "linear-svc": ("svm", "LinearSVC", {}, "classes"), "one-class": ("svm", "OneClassSVM", {}, "none"),
    "neighbours": ("neighbors", "KNeighborsClassifier", {"n_neighbors": 2}, "classes"), "bayes": ("naive_bayes", "GaussianNB", {}, "classes"),
    "perceptron": ("neural_network", "MLPClassifier", {"hidden_layer_sizes": (6,), "max_iter": 5}, "classes"), "perceptron-regressor": ("neural_network", "MLPRegressor", {"hidden_layer_sizes": (6,), "max_iter": 5}, "numbers"),
    "means": ("cluster", "KMeans", {"n_clusters": 3, "n_init": 1}, "none"), "process": ("gaussian_process", "GaussianProcessRegressor", {}, "numbers"),
    "lda": ("discriminant_analysis", "LinearDiscriminantAnalysis", {}, "classes"), "isolation": ("ensemble", "IsolationForest", {"n_estimators": 3}, "none"),
    "standard": ("preprocessing", "StandardScaler", {}, "none"), "normalizer": ("preprocessing", "Normalizer", {}, "none"), "binarizer": ("preprocessing", "Binarizer", {"threshold": 0.3}, "none"),
    "polynomial": ("preprocessing", "PolynomialFeatures", {}, "none"), "bins": ("preprocessing", "KBinsDiscretizer", {"n_bins": 3, "encode": "ordinal"}, "none"), "power": ("preprocessing", "PowerTransformer", {}, "none"),
    "imputer": ("impute", "SimpleImputer", {}, "none"), "pca": ("decomposition", "PCA", {"n_components": 2}, "none"), "select": ("feature_selection", "VarianceThreshold", {}, "none"),
    "bagging": ("ensemble", "BaggingClassifier", {"n_estimators": 2}, "classes"),
}  # fmt: skip


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    warnings.filterwarnings("ignore")
    for name, (module, cls, options, target) in MODELS.items():
        yield name, lambda path, row=(module, cls, options, target): _number_model(path, *row)
        if target == "classes":
            yield (
                f"plain-{name}",
                lambda path, row=(module, cls, options, target): _number_model(path, *row, is_plain=True),
            )
    for name in ("one-hot", "ordinal", "labels", "words", "hashing"):
        yield name, lambda path, name=name: _text_model(path, name)


def _number_model(
    path: Path, module: str, cls: str, options: dict[str, Any], target: str, *, is_plain: bool = False
) -> dict[str, Any]:
    """`is_plain`: after a scaler, and with probabilities as a tensor instead of a sequence of maps."""
    from skl2onnx import to_onnx
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(3)
    x = rng.normal(size=(40, 4)).astype(np.float32)
    y = {"classes": (x[:, 0] > 0) + (x[:, 1] > 1).astype(int), "numbers": x @ [1, 2, 3, 4], "none": None}[target]
    model = getattr(importlib.import_module(f"sklearn.{module}"), cls)(**options)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    model = make_pipeline(StandardScaler(), model) if is_plain else model
    model.fit(x) if y is None else model.fit(x, y)
    options_of = {"zipmap": False} if is_plain and cls != "LinearSVC" else None
    made = to_onnx(
        model, x[:1], options={id(model): options_of} if options_of else None, target_opset={"": 18, "ai.onnx.ml": 3}
    )
    path.write_bytes(made.SerializeToString())
    return {made.graph.input[0].name: x[:3]}


def _text_model(path: Path, name: str) -> dict[str, Any]:
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import StringTensorType
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import LabelEncoder, OneHotEncoder, OrdinalEncoder

    words = np.array([["red"], ["green"], ["blue"], ["red"], ["green"]])
    sentences = np.array(["a red fox", "the green tree", "blue sky red sun", "green fox", "the sky"])
    made: dict[str, tuple[Any, Any]] = {
        "one-hot": (OneHotEncoder(), words), "ordinal": (OrdinalEncoder(), words), "labels": (LabelEncoder(), words[:, 0]),
        "words": (CountVectorizer(), sentences), "hashing": (make_pipeline(TfidfVectorizer(), LogisticRegression()), sentences),
    }  # fmt: skip
    model, data = made[name]
    model.fit(data, [0, 1, 0, 1, 1]) if name == "hashing" else model.fit(data)
    shape = [None, 1] if data.ndim == 2 else [None]
    path.write_bytes(to_onnx(model, initial_types=[("x", StringTensorType(shape))]).SerializeToString())
    return {"x": data[:3]}
