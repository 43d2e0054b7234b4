"""The shapes of both networks, and the way from torch to a file that OpenCV reads.

Plain convolutions, pooling and two full layers. Batch normalisation, the scaling of the input (0..255) and the
calibrating temperature are folded into the weights on export.
"""

from __future__ import annotations

import copy
import io
from pathlib import Path

import onnx
import torch
from torch import nn

from vision.networks import GLYPH_CLASSES, GLYPH_SHAPE, PATCH_SHAPE, RANK_CLASSES, SUIT_CLASSES

INDEX_INPUT = (2, PATCH_SHAPE[0], PATCH_SHAPE[1])
GLYPH_INPUT = (1, *GLYPH_SHAPE)


def _block(inputs: int, outputs: int, size: int = 3, stride: int = 1) -> list[nn.Module]:
    convolution = nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False)
    return [convolution, nn.BatchNorm2d(outputs), nn.ReLU()]


def index_network(a: int = 12, b: int = 16, c: int = 32, d: int = 48, e: int = 64, hidden: int = 64) -> nn.Sequential:
    """Five convolutions from 144 x 64 to 9 x 4, where a cell sees a whole glyph; the full layers know the places."""
    return nn.Sequential(
        *_block(2, a, 5, 2),
        *_block(a, b),
        nn.MaxPool2d(2),
        *_block(b, c),
        nn.MaxPool2d(2),
        *_block(c, d),
        nn.MaxPool2d(2),
        *_block(d, e),
        nn.Flatten(1),
        nn.Dropout(0.2),
        nn.Linear(e * 9 * 4, hidden),
        nn.ReLU(),
        nn.Linear(hidden, len(RANK_CLASSES) + len(SUIT_CLASSES)),
    )


def glyph_network(a: int = 16, b: int = 32, c: int = 96, hidden: int = 64) -> nn.Sequential:
    return nn.Sequential(
        *_block(1, a),
        nn.MaxPool2d(2),
        *_block(a, b),
        nn.MaxPool2d(2),
        *_block(b, c),
        nn.MaxPool2d(2),
        nn.Flatten(1),
        nn.Dropout(0.2),
        nn.Linear(c * 4 * 4, hidden),
        nn.ReLU(),
        nn.Linear(hidden, len(GLYPH_CLASSES)),
    )


def folded(network: nn.Sequential, temperatures: list[float]) -> nn.Sequential:
    """The same function of 0..255 inputs without normalisation layers; output i divided by its temperature."""
    layers: list[nn.Module] = []
    for layer in copy.deepcopy(network).eval():
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = nn.utils.fusion.fuse_conv_bn_eval(layers[-1], layer)
        elif not isinstance(layer, nn.Dropout):
            layers.append(layer)
    with torch.no_grad():
        layers[0].weight /= 255.0
        divisor = torch.tensor(temperatures)
        layers[-1].weight /= divisor[:, None]
        layers[-1].bias /= divisor
    return nn.Sequential(*layers).eval()


def export(network: nn.Sequential, shape: tuple[int, int, int], path: Path, notes: dict[str, str]) -> None:
    """Writes a folded network as ONNX (any number of inputs at once), with notes for who opens the file."""
    buffer = io.BytesIO()
    names = {"input": {0: "n"}, "output": {0: "n"}}
    torch.onnx.export(
        network,
        torch.zeros(1, *shape),
        buffer,
        opset_version=13,
        input_names=["input"],
        output_names=["output"],
        dynamic_axes=names,
        dynamo=False,
    )
    model = onnx.load_from_string(buffer.getvalue())
    for key, value in sorted(notes.items()):
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
