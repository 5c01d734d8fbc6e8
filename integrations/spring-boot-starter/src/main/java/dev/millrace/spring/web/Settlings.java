package dev.millrace.spring.web;

import dev.millrace.adapters.call.Settling;
import java.util.Map;
import java.util.function.Supplier;

/** The settlement of requests. */
final class Settlings {
  private Settlings() {}

  /** Settles with the status and the header of the response. */
  static Settling<Object> of(WebCharge charge, int status, Supplier<Map<String, String>> header) {
    return (lease, answer) -> charge.settle(lease, status, header.get());
  }
}
