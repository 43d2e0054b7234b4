"""House rules out of TOML: the keys, types and limits that rules.md gives, checked whole, as `controller.rules.Rules`.

The same keys serve the `[rules]` of a table's configuration and a `--rules` file. A key of another game is allowed
and ignored by the game; what a rule means is the game's own matter.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from controller import rules
from controller.edge.toml_input import Section, as_written, check, read_toml

CARDS_IN_DECK = 52
TABLE_DECKS = 12
MOST_DECKS = 100_000  # recorded shoes are joined for measurements; no table has so many

_AMOUNT = Field(
    gt=0, le=10**12, max_digits=24, decimal_places=12, json_schema_extra={"unit": "money: a decimal string or a number"}
)
_RATE = Field(ge=0, le=1, decimal_places=12, json_schema_extra={"unit": 'a fraction: "0.05" is 5 %'})

Amount = Annotated[Decimal, BeforeValidator(as_written), _AMOUNT]
NoAmount = Annotated[Decimal | None, BeforeValidator(as_written), _AMOUNT]
Rate = Annotated[Decimal, BeforeValidator(as_written), _RATE]


class Money(Section):
    unit: Amount = Field(default=Decimal("0.01"), description="smallest unit; what does not come out is rounded to it")


class Limits(Section):
    min: NoAmount = Field(default=None, description="least stake, inclusive; left out: one unit", examples=["5"])
    max: NoAmount = Field(default=None, description="greatest stake, inclusive; left out: none", examples=["500"])

    @field_validator("max")
    @classmethod
    def _not_below_min(cls, value: Decimal | None, info: ValidationInfo) -> Decimal | None:
        least = info.data.get("min")
        if value is not None and least is not None and value < least:
            raise ValueError(f"at least limits.min, {least}")
        return value


class Prison(Section):
    tie: Literal["lose", "stay", "deeper"] = Field(default="lose", description="a stake in prison at a tie")
    transfer: bool = Field(default=False, description="a stake may go to prison on the opposite chance")


class Insurance(Section):
    rate: Rate = Field(default=Decimal("0.05"), description="premium of an insured stake, in every coup")


class Bank(Section):
    reserve: NoAmount = Field(
        default=None, description="the bank, laid again in full when broken; left out: none", examples=["10000"]
    )


def _decks(most: int) -> Any:
    return Field(
        default=None,
        ge=1,
        le=most,
        description="packs of 52 in the shoe; left out: the game's own number (6, 2, 1)",
        examples=[6],
    )


def _burn(most_decks: int) -> Any:
    return Field(
        default=0,
        ge=0,
        lt=most_decks * CARDS_IN_DECK,
        description="trente et quarante: cards burnt before the first coup",
        json_schema_extra={"unit": "cards"},
    )


class HouseRules(Section):
    """The keys of rules.md, with its defaults; left out is None where there is none or it depends on the game."""

    decks: int | None = _decks(MOST_DECKS)
    burn: int = _burn(MOST_DECKS)
    doubling: bool = Field(default=False, description="zecchinetta: a playette is doubled up instead of void")
    commission: Rate = Field(default=Decimal("0.10"), description="zecchinetta: the house's part of what is won")
    money: Money = Field(default_factory=Money.model_construct)
    limits: Limits = Field(default_factory=Limits.model_construct)
    prison: Prison = Field(default_factory=Prison.model_construct)
    insurance: Insurance = Field(default_factory=Insurance.model_construct)
    bank: Bank = Field(default_factory=Bank.model_construct)

    @field_validator("burn")
    @classmethod
    def _fewer_than_the_shoe(cls, value: int, info: ValidationInfo) -> int:
        decks = info.data.get("decks")
        if decks is not None and value >= decks * CARDS_IN_DECK:
            raise ValueError(f"fewer than the {decks * CARDS_IN_DECK} cards of the shoe")
        return value

    def rules(self) -> rules.Rules:
        """The same values as the core's frozen record."""
        return rules.Rules(
            decks=self.decks,
            burn=self.burn,
            money=rules.Money(self.money.unit),
            limits=rules.Limits(self.limits.min, self.limits.max),
            prison=rules.Prison(self.prison.tie, self.prison.transfer),
            insurance=rules.Insurance(self.insurance.rate),
            doubling=self.doubling,
            commission=self.commission,
            bank=rules.Bank(self.bank.reserve),
        )


class TableRules(HouseRules):
    """House rules of a real table: no shoe holds more packs than these."""

    decks: int | None = _decks(TABLE_DECKS)
    burn: int = _burn(TABLE_DECKS)


def load_rules(path: Path | str) -> rules.Rules:
    """The rules in a `--rules` file. Raises UsageProblem with a line for each mistake in it."""
    return parse_rules(read_toml(Path(path)), Path(path))


def parse_rules(data: dict[str, Any], path: Path) -> rules.Rules:
    """The same from a file's keys; `path` is named in the mistakes."""
    return check(HouseRules, data, path).rules()
