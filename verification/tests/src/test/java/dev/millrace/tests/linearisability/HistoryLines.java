package dev.millrace.tests.linearisability;

import dev.millrace.testkit.internal.history.BucketAnswer;
import dev.millrace.testkit.internal.history.BucketCall;
import dev.millrace.testkit.internal.history.CallerId;
import dev.millrace.testkit.internal.history.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** An operation as a line of text, by which a process tells another what it did. */
final class HistoryLines {
  private static final String UNKNOWN = "unknown";

  private HistoryLines() {}

  static String format(Operation<BucketCall, BucketAnswer> operation) {
    return String.join(
        " ",
        operation.who().process(),
        String.valueOf(operation.who().number()),
        String.valueOf(operation.invokedNanos()),
        String.valueOf(operation.returnedNanos()),
        format(operation.asked()),
        operation.isUnknown() ? UNKNOWN : format(operation.answered()));
  }

  static Operation<BucketCall, BucketAnswer> parse(String line) {
    String[] words = line.split(" ", -1);
    return new Operation<>(
        new CallerId(words[0], Integer.parseInt(words[1])),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        call(words[4]),
        words[5].equals(UNKNOWN) ? null : answer(words[5]));
  }

  private static String format(BucketCall call) {
    if (call instanceof BucketCall.Take take) {
      return word("take", take.milli());
    }
    return call instanceof BucketCall.Settle settle
        ? word("settle", settle.milli())
        : word("look", List.of());
  }

  private static BucketCall call(String word) {
    return switch (name(word)) {
      case "take" -> new BucketCall.Take(milli(word));
      case "settle" -> new BucketCall.Settle(milli(word));
      case "look" -> new BucketCall.Look();
      default -> throw new IllegalArgumentException("not a call: " + word);
    };
  }

  private static String format(BucketAnswer answer) {
    if (answer instanceof BucketAnswer.Refused refused) {
      return word("refused", refused.availableMilli());
    }
    if (answer instanceof BucketAnswer.Seen seen) {
      return word("seen", seen.milli());
    }
    return word(answer instanceof BucketAnswer.Done ? "done" : "failed", List.of());
  }

  private static BucketAnswer answer(String word) {
    return switch (name(word)) {
      case "refused" -> new BucketAnswer.Refused(milli(word));
      case "seen" -> new BucketAnswer.Seen(milli(word));
      case "done" -> new BucketAnswer.Done();
      case "failed" -> new BucketAnswer.Failed();
      default -> throw new IllegalArgumentException("not an answer: " + word);
    };
  }

  private static String word(String name, List<Long> milli) {
    return name + ":" + milli.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static String name(String word) {
    return word.substring(0, word.indexOf(':'));
  }

  private static List<Long> milli(String word) {
    return Arrays.stream(word.substring(word.indexOf(':') + 1).split(",", -1))
        .map(Long::valueOf)
        .toList();
  }
}
