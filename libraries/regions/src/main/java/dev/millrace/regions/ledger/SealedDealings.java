package dev.millrace.regions.ledger;

import java.util.List;

/** The rows of another region with the seals of the same snapshot. */
public record SealedDealings(List<Seal> seals, Dealings dealings) {
  /** Keeps a copy. */
  public SealedDealings {
    seals = List.copyOf(seals);
  }
}
