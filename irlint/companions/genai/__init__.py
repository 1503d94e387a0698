"""ONNX Runtime GenAI's `genai_config.json`: the models of a folder, and the names and sizes that the runtime has to know."""
