def call_of_bodies(node, opset):
    return None
