package dev.millrace.spring.web;

import dev.millrace.adapters.call.Settling;
import java.util.Map;
import java.util.function.Supplier;

/** How requests are settled. */
final class Settlings {
  private Settlings() {}

  /** With the status and the header of the answer. */
  static Settling<Object> of(WebCharge charge, int status, Supplier<Map<String, String>> header) {
    return (lease, answer) -> charge.settle(lease, status, header.get());
  }
}
