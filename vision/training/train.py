"""Makes the networks: draws the samples, trains both, calibrates, exports, checks the export against OpenCV.

    python -m vision.training.train --out vision/models --art FOLDER_OF_PUBLIC_DOMAIN_FACES

Needs the extra `train` (torch, onnx, pillow) and fonts; `docs/training.md` says which and what comes out. The same seed
gives the same samples on the same fonts; weights differ in the last digits with the machine's arithmetic.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.networks import RANK_CLASSES, load_network
from vision.training.nets import GLYPH_INPUT, INDEX_INPUT, export, folded, glyph_network, index_network
from vision.training.samples import UNASKED, Recipe, make_samples

BATCH = 128
VALIDATION_CHUNKS = 6  # the last ones: other designs by chance, never trained on
_AVERAGE = 0.9985  # of the running mean of the weights, which is what is shipped


@dataclass(frozen=True)
class Task:
    """One network: its data files, its shape of input, where in its output each head lies."""

    name: str
    shape: tuple[int, int, int]
    heads: tuple[slice, ...]

    def network(self) -> nn.Sequential:
        return index_network() if self.name == "index" else glyph_network()


TASKS = (
    Task("index", INDEX_INPUT, (slice(0, len(RANK_CLASSES)), slice(len(RANK_CLASSES), None))),
    Task("glyph", GLYPH_INPUT, (slice(0, None),)),
)


class Samples:
    """The arrays of some chunks, left in their files until a batch asks for them."""

    def __init__(self, task: Task, folder: Path, chunks: range) -> None:
        self.shape = task.shape
        self.pictures = [np.load(folder / f"{task.name}-{n:04}.npy", mmap_mode="r") for n in chunks]
        labels = np.concatenate([np.load(folder / f"{task.name}-labels-{n:04}.npy") for n in chunks])
        self.labels = labels.reshape(len(labels), -1).astype(np.int64)
        self.starts = np.cumsum([0] + [len(part) for part in self.pictures])

    def batches(self, rng: np.random.Generator | None) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Batches as float 0..1 and labels; chunks are shuffled in groups of 16, to read the files in long runs."""
        order = np.arange(len(self.pictures)) if rng is None else rng.permutation(len(self.pictures))
        for start in range(0, len(order), 16):
            group = order[start : start + 16]
            pictures = np.concatenate([self.pictures[n] for n in group])
            labels = np.concatenate([self.labels[self.starts[n] : self.starts[n + 1]] for n in group])
            places = np.arange(len(labels)) if rng is None else rng.permutation(len(labels))
            for first in range(0, len(places), BATCH):
                some = places[first : first + BATCH]
                planes = torch.from_numpy(pictures[some].reshape(-1, *self.shape)).float() / 255.0
                yield planes, torch.from_numpy(labels[some])


def loss_of(task: Task, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    losses = [
        nn.functional.cross_entropy(logits[:, head], labels[:, n], ignore_index=UNASKED)
        for n, head in enumerate(task.heads)
    ]
    return torch.stack(losses).sum()


def train(task: Task, samples: Samples, epochs: int, seed: int) -> nn.Sequential:
    """AdamW with one warm-up and a cosine down; returns the running mean of the weights."""
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 2])
    network = task.network().to(memory_format=torch.channels_last)
    mean = torch.optim.swa_utils.AveragedModel(network, avg_fn=_running_mean, use_buffers=True)
    steps = epochs * (len(samples.labels) // BATCH + 16)
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=0.02)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps, pct_start=0.15)
    for epoch in range(epochs):
        began, total, count = time.monotonic(), 0.0, 0
        network.train()
        for planes, labels in samples.batches(rng):
            seen = shaken(planes).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = network(seen)
            loss = loss_of(task, logits.float(), labels)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            plan.step()
            mean.update_parameters(network)
            total, count = total + float(loss.detach()) * len(labels), count + len(labels)
        print(f"{task.name} epoch {epoch}: loss {total / count:.4f}, {time.monotonic() - began:.0f} s", flush=True)
    result: nn.Sequential = mean.module.eval().to(memory_format=torch.contiguous_format)
    return result


def _running_mean(mean: torch.Tensor, now: torch.Tensor, count: torch.Tensor) -> torch.Tensor:
    """The mean forgets faster at the beginning, when the weights are still far from where they end."""
    share = 1.0 - min(_AVERAGE, (1.0 + float(count)) / (10.0 + float(count)))
    return mean + (now - mean) * share if mean.is_floating_point() else now


def shaken(planes: torch.Tensor) -> torch.Tensor:
    """A little other contrast, and a shift by a pixel, so that no sample is seen twice alike."""
    gain = 1.0 + 0.08 * torch.randn(len(planes), planes.shape[1], 1, 1)
    middle = 128 / 255 if planes.shape[1] == 2 else 0.0
    offset = torch.tensor([0.0, middle][: planes.shape[1]]).view(1, -1, 1, 1)
    dy, dx = (int(n) for n in torch.randint(-1, 2, (2,)))
    return torch.roll(((planes - offset) * gain + offset).clamp(0, 1), (dy, dx), (2, 3))


def logits_of(network: nn.Sequential, samples: Samples) -> tuple[torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        parts = [(network(planes), labels) for planes, labels in samples.batches(None)]
    return torch.cat([logits for logits, _ in parts]), torch.cat([labels for _, labels in parts])


def temperature_of(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """The divisor of the logits under which their probabilities are most honest on samples not trained on."""
    candidates = np.exp(np.linspace(np.log(0.5), np.log(4.0), 80))
    losses = [float(nn.functional.cross_entropy(logits / float(t), labels, ignore_index=UNASKED)) for t in candidates]
    return float(candidates[int(np.argmin(losses))])


def check_export(network: nn.Sequential, path: Path, samples: Samples) -> float:
    """The largest difference of an output between torch and OpenCV on real samples."""
    planes, _ = next(samples.batches(None))
    net = load_network(path)
    net.setInput((planes[:64] * 255.0).numpy())
    seen: NDArray[np.float32] = np.asarray(net.forward(), np.float32)
    with torch.no_grad():
        meant = network(planes[:64] * 255.0).numpy()
    return float(np.abs(seen - meant).max())


def make(task: Task, folder: Path, out: Path, chunks: int, epochs: int, seed: int) -> None:
    """One network from its samples to its file; on one thread, so that both can be made side by side."""
    torch.set_num_threads(1)
    training = Samples(task, folder, range(chunks - VALIDATION_CHUNKS))
    validation = Samples(task, folder, range(chunks - VALIDATION_CHUNKS, chunks))
    network = train(task, training, epochs, seed)
    logits, labels = logits_of(network, validation)
    temperatures = [temperature_of(logits[:, head], labels[:, n]) for n, head in enumerate(task.heads)]
    spread = [t for t, head in zip(temperatures, task.heads, strict=True) for _ in range(logits[:, head].shape[1])]
    for n, head in enumerate(task.heads):
        asked = labels[:, n] != UNASKED
        right = float((logits[asked][:, head].argmax(1) == labels[asked, n]).float().mean())
        print(f"{task.name} head {n}: right {right:.4f} on {int(asked.sum())}, temperature {temperatures[n]:.3f}")
    final, path = folded(network, spread), out / f"{task.name}.onnx"
    export(final, task.shape, path, {"seed": str(seed), "samples": str(len(training.labels)), "epochs": str(epochs)})
    difference = check_export(final, path, validation)
    print(f"{path}: {path.stat().st_size} bytes, largest difference to OpenCV {difference:.2e}", flush=True)
    if difference > 1e-2:
        raise RuntimeError(f"{path}: OpenCV computes something else (off by {difference})")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.train", description="Train the index and glyph networks."
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for index.onnx and glyph.onnx")
    parser.add_argument(
        "--data", type=Path, default=Path("build/samples"), help="folder for the drawn samples (18 MB a chunk)"
    )
    parser.add_argument("--art", type=Path, help="folder of public-domain faces (10H.png …)")
    parser.add_argument("--chunks", type=int, default=300, help="thousands of patches to draw")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--processes", type=int, default=2, help="for drawing and training")
    parser.add_argument("--only", choices=[task.name for task in TASKS])
    options = parser.parse_args(arguments)
    make_samples(Recipe(options.seed, options.art), range(options.chunks), options.data, options.processes)
    options.out.mkdir(parents=True, exist_ok=True)
    work = [
        (task, options.data, options.out, options.chunks, options.epochs, options.seed)
        for task in TASKS
        if options.only in (None, task.name)
    ]
    with multiprocessing.get_context("spawn").Pool(min(options.processes, len(work))) as pool:
        pool.starmap(make, work)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
