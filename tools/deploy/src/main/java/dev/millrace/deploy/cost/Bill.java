package dev.millrace.deploy.cost;

import java.util.List;

/**
 * The cost of a month.
 *
 * @param items its lines
 * @param requests how many requests that is for
 */
public record Bill(List<CostItem> items, double requests) {
  private static final double MILLION = 1e6;

  /** Keeps the lines as they are now. */
  public Bill {
    items = List.copyOf(items);
  }

  /** The whole month. */
  public double dollars() {
    return items.stream().mapToDouble(CostItem::dollars).sum();
  }

  /** For a million requests. */
  public double perMillion() {
    return perMillion(dollars());
  }

  /** The part of {@code dollars} of the month in a million requests. */
  public double perMillion(double dollars) {
    return dollars / requests * MILLION;
  }
}
