package dev.millrace.simulator;

/** Requests in few words. */
final class RequestText {
  private RequestText() {}

  static String of(Action.Ask ask) {
    return ask.entity()
        + " "
        + ask.tokens()
        + (ask.maxWaitMs() > 0 ? " within " + ask.maxWaitMs() + " ms" : "")
        + " (asked at "
        + ask.atMicros()
        + " µs)";
  }
}
