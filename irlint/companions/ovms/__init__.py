"""OpenVINO Model Server's `config.json`: the models, graphs and pipelines that a server loads."""
