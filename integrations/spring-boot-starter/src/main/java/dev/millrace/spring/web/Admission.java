package dev.millrace.spring.web;

import dev.millrace.Lease;
import dev.millrace.adapters.http.HttpRefusal;
import java.util.Optional;

/** The result of an acquire for a request. */
sealed interface Admission {
  /** The request goes on. */
  record Granted(Lease lease) implements Admission {}

  /** The request is answered. */
  record Refused(HttpRefusal refusal) implements Admission {}

  /** The refusal that {@code failure} stands for; empty when there is none. */
  static Optional<Admission> of(Throwable failure) {
    return HttpRefusal.of(failure).map(Refused::new);
  }
}
