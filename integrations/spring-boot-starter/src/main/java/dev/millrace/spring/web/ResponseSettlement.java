package dev.millrace.spring.web;

import dev.millrace.adapters.call.CostSettler;
import java.util.Map;
import java.util.function.Supplier;

/** The settlement of requests. */
final class ResponseSettlement {
  private ResponseSettlement() {}

  /** Settles with the status and the header of the response. */
  static CostSettler<Object> of(
      WebCharge charge, int status, Supplier<Map<String, String>> header) {
    return (lease, answer) -> charge.settle(lease, status, header.get());
  }
}
