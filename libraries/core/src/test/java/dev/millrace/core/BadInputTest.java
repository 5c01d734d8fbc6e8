package dev.millrace.core;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.AcquireRequest;
import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.NameRules;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.spi.plan.PlanSettings;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake at the edge, with the message that a person reads. */
class BadInputTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Refill TEN_A_MINUTE = Refill.of(10_000, 60_000);
  private static final String SIXTY = "a".repeat(60);

  @ParameterizedTest(name = "{0}")
  @MethodSource({
    "entityIds",
    "resources",
    "limitNames",
    "namespaces",
    "keys",
    "refills",
    "limits",
    "periods",
    "notations",
    "sets",
    "requests",
    "settings"
  })
  void construct_badInput_isRefusedWithTheRule(String message, ThrowingCallable construct) {
    assertThatThrownBy(construct).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  static Stream<Arguments> entityIds() {
    return Stream.of(
        refused("entityId is null", () -> NameRules.requireEntityId(missing())),
        refused("entityId '' is empty", () -> NameRules.requireEntityId("")),
        refused(
            "entityId '" + SIXTY + "…' has 257 characters, at most 256 allowed",
            () -> NameRules.requireEntityId("a".repeat(257))),
        refused(
            "entityId '_system' begins with '_', which is reserved",
            () -> NameRules.requireEntityId("_system")),
        refused(
            "entityId '$x' begins with '$', which is reserved",
            () -> NameRules.requireEntityId("$x")),
        refused(
            "entityId 'a#b' contains '#', which separates the parts of a key",
            () -> NameRules.requireEntityId("a#b")),
        refused(
            "entityId '#' contains '#', which separates the parts of a key",
            () -> NameRules.requireEntityId("#")),
        refused(
            "entityId '-a' begins with '-', must begin with a letter or a digit",
            () -> NameRules.requireEntityId("-a")),
        refused(
            "entityId 'éa' begins with \\u00e9, must begin with a letter or a digit",
            () -> NameRules.requireEntityId("éa")),
        refused(
            "entityId 'a b' contains ' ' at position 1, allowed are letters, digits and _-.:@",
            () -> NameRules.requireEntityId("a b")),
        refused(
            "entityId 'a/b' contains '/' at position 1, allowed are letters, digits and _-.:@",
            () -> NameRules.requireEntityId("a/b")),
        // The original let a trailing newline pass.
        refused(
            "entityId 'a\\u000a' contains \\u000a at position 1, allowed are letters, digits and"
                + " _-.:@",
            () -> NameRules.requireEntityId("a\n")),
        refused(
            "entityId '\\u0000' begins with \\u0000, must begin with a letter or a digit",
            () -> NameRules.requireEntityId("\0")),
        refused(
            "entityId 'a\\u007f' contains \\u007f at position 1, allowed are letters, digits and"
                + " _-.:@",
            () -> NameRules.requireEntityId("a\u007f")),
        refused(
            "entityId 'a\\u0085\\u2028\\u202e\\ud83d\\ude00' contains \\u0085 at position 1, allowed are"
                + " letters, digits and _-.:@",
            () -> NameRules.requireEntityId("a\u0085\u2028\u202e\ud83d\ude00")),
        refused(
            "entityId '٣' begins with \\u0663, must begin with a letter or a digit",
            () -> NameRules.requireEntityId("٣")));
  }

  static Stream<Arguments> resources() {
    return Stream.of(
        refused("resource is null", () -> NameRules.requireResource(missing())),
        refused("resource '' is empty", () -> NameRules.requireResource("")),
        refused(
            "resource '" + SIXTY + "…' has 65 characters, at most 64 allowed",
            () -> NameRules.requireResource("a".repeat(65))),
        refused(
            "resource '_default_' begins with '_', which is reserved",
            () -> NameRules.requireResource("_default_")),
        refused(
            "resource '$r' begins with '$', which is reserved",
            () -> NameRules.requireResource("$r")),
        refused(
            "resource 'gpt#4' contains '#', which separates the parts of a key",
            () -> NameRules.requireResource("gpt#4")),
        refused(
            "resource '4o' begins with '4', must begin with a letter",
            () -> NameRules.requireResource("4o")),
        refused(
            "resource '/a' begins with '/', must begin with a letter",
            () -> NameRules.requireResource("/a")),
        refused(
            "resource 'a:b' contains ':' at position 1, allowed are letters, digits and _-./",
            () -> NameRules.requireResource("a:b")),
        refused(
            "resource 'gpt-4\\u000a' contains \\u000a at position 5, allowed are letters, digits"
                + " and _-./",
            () -> NameRules.requireResource("gpt-4\n")));
  }

  static Stream<Arguments> limitNames() {
    return Stream.of(
        refused("limit is null", () -> NameRules.requireLimitName(missing())),
        refused("limit '' is empty", () -> NameRules.requireLimitName("")),
        refused(
            "limit '" + SIXTY + "…' has 65 characters, at most 64 allowed",
            () -> NameRules.requireLimitName("a".repeat(65))),
        refused("limit 'wcu' is reserved", () -> NameRules.requireLimitName("wcu")),
        refused("limit 'wcu' is reserved", () -> Limit.perMinute("wcu", 1)),
        refused("limit 'wcu' is reserved", () -> new Limit("wcu", 1, 1, TEN_A_MINUTE)),
        refused(
            "limit '_rpm' begins with '_', which is reserved",
            () -> NameRules.requireLimitName("_rpm")),
        refused(
            "limit '$rpm' begins with '$', which is reserved",
            () -> NameRules.requireLimitName("$rpm")),
        refused(
            "limit 'r#m' contains '#', which separates the parts of a key",
            () -> NameRules.requireLimitName("r#m")),
        refused(
            "limit '1rpm' begins with '1', must begin with a letter",
            () -> NameRules.requireLimitName("1rpm")),
        refused(
            "limit 'r/m' contains '/' at position 1, allowed are letters, digits and _-.",
            () -> NameRules.requireLimitName("r/m")),
        refused(
            "limit 'rpm\\u000a' contains \\u000a at position 3, allowed are letters, digits and _-.",
            () -> NameRules.requireLimitName("rpm\n")));
  }

  static Stream<Arguments> namespaces() {
    return Stream.of(
        refused("namespace is null", () -> NameRules.requireNamespace(missing())),
        refused("namespace '' is empty", () -> NameRules.requireNamespace("")),
        refused(
            "namespace '" + SIXTY + "…' has 65 characters, at most 64 allowed",
            () -> NameRules.requireNamespace("a".repeat(65))),
        refused(
            "namespace '_' begins with '_', which is reserved",
            () -> NameRules.requireNamespace("_")),
        refused(
            "namespace '$n' begins with '$', which is reserved",
            () -> NameRules.requireNamespace("$n")),
        refused(
            "namespace 'a#' contains '#', which separates the parts of a key",
            () -> NameRules.requireNamespace("a#")),
        refused(
            "namespace '-n' begins with '-', must begin with a letter or a digit",
            () -> NameRules.requireNamespace("-n")),
        refused(
            "namespace 'a/b' contains '/' at position 1, allowed are letters, digits and _-",
            () -> NameRules.requireNamespace("a/b")),
        refused(
            "namespace 'n\\u000a' contains \\u000a at position 1, allowed are letters, digits and"
                + " _-",
            () -> NameRules.requireNamespace("n\n")));
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        refused("namespace '' is empty", () -> BucketKey.first("", "e", "r")),
        refused("entityId '' is empty", () -> BucketKey.first("n", "", "r")),
        refused("resource '' is empty", () -> BucketKey.first("n", "e", "")),
        refused("shard -1 must be from 0 to 65535", () -> new BucketKey("n", "e", "r", -1)),
        refused("shard 65536 must be from 0 to 65535", () -> new BucketKey("n", "e", "r", 65_536)));
  }

  static Stream<Arguments> refills() {
    return Stream.of(
        refused("refill amount 0 must be positive", () -> Refill.of(0, 1)),
        refused("refill amount -1 must be positive", () -> Refill.of(-1, 1)),
        refused("refill period 0 ms must be positive", () -> Refill.of(1, 0)),
        refused("refill period -1 ms must be positive", () -> Refill.of(1, -1)),
        refused(
            "refill of 9223372036854775807 millitokens every 2 ms cannot be computed in 64 bits:"
                + " choose a rounder amount or period",
            () -> Refill.of(Long.MAX_VALUE, 2)));
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        refused(
            "limit 'rpm': capacity 0 must be from 1 to 1000000000000000",
            () -> Limit.perMinute("rpm", 0)),
        refused(
            "limit 'rpm': capacity -1 must be from 1 to 1000000000000000",
            () -> Limit.perSecond("rpm", -1)),
        refused(
            "limit 'rpm': capacity 1000000000000001 must be from 1 to 1000000000000000",
            () -> Limit.perHour("rpm", Limit.MAX_TOKENS + 1)),
        refused(
            "limit 'rpm': capacity 9223372036854775807 must be from 1 to 1000000000000000",
            () -> Limit.perDay("rpm", Long.MAX_VALUE)),
        refused(
            "limit 'rpm': refill amount 0 must be from 1 to 1000000000000000",
            () -> Limit.custom("rpm", 1, 0, MINUTE)),
        refused(
            "limit 'rpm': refill amount -5 must be from 1 to 1000000000000000",
            () -> Limit.custom("rpm", 1, -5, MINUTE)),
        refused(
            "limit 'rpm': burst 9 is below the capacity 10",
            () -> Limit.perMinute("rpm", 10).withBurst(9)),
        refused(
            "limit 'rpm': burst 0 must be from 1 to 1000000000000000",
            () -> Limit.perMinute("rpm", 10).withBurst(0)),
        refused(
            "limit 'rpm': burst 1000000000000001 must be from 1 to 1000000000000000",
            () -> Limit.perMinute("rpm", 10).withBurst(Limit.MAX_TOKENS + 1)),
        refused(
            "limit 'rpm': capacity 0 must be positive and at most 1000000000000000",
            () -> new Limit("rpm", 0, 1, TEN_A_MINUTE)),
        refused(
            "limit 'rpm': burst -0.001 must be positive and at most 1000000000000000",
            () -> new Limit("rpm", 1, -1, TEN_A_MINUTE)),
        refused(
            "limit 'rpm': burst 1.499 is below the capacity 1.5",
            () -> new Limit("rpm", 1_500, 1_499, TEN_A_MINUTE)),
        refused(
            "limit 'rpm': refill amount 1000000000000000.001 must be positive and at most"
                + " 1000000000000000",
            () -> new Limit("rpm", 1, 1, Refill.of(1_000_000_000_000_000_001L, 1))));
  }

  static Stream<Arguments> periods() {
    return Stream.of(
        refused(
            "limit 'rpm': refill period PT0S must be a positive number of whole milliseconds",
            () -> Limit.custom("rpm", 1, 1, Duration.ZERO)),
        refused(
            "limit 'rpm': refill period PT-1S must be a positive number of whole milliseconds",
            () -> Limit.custom("rpm", 1, 1, Duration.ofSeconds(-1))),
        refused(
            "limit 'rpm': refill period PT-2562047788015215H-30M-8S must be a positive number of"
                + " whole milliseconds",
            () -> Limit.custom("rpm", 1, 1, Duration.ofSeconds(Long.MIN_VALUE))),
        refused(
            "limit 'rpm': refill period PT0.000999999S must be a positive number of whole"
                + " milliseconds",
            () -> Limit.custom("rpm", 1, 1, Duration.ofNanos(999_999))),
        refused(
            "limit 'rpm': refill period PT0.0015S must be a positive number of whole milliseconds",
            () -> Limit.custom("rpm", 1, 1, Duration.ofNanos(1_500_000))),
        refused(
            "limit 'rpm': refill period PT8784H0.001S is longer than 366 days",
            () -> Limit.custom("rpm", 1, 1, Duration.ofDays(366).plusMillis(1))),
        refused(
            "limit 'rpm': refill period PT2562047788015215H30M7S is longer than 366 days",
            () -> Limit.custom("rpm", 1, 1, Duration.ofSeconds(Long.MAX_VALUE))),
        refused(
            "limit 'rpm': refill period PT8784H0.001S is longer than 366 days",
            () -> new Limit("rpm", 1, 1, Refill.of(1, 31_622_400_001L))),
        refused(
            "limit 'rpm': refill of 999999999999999000 millitokens every 86399999 ms cannot be"
                + " computed in 64 bits: choose a rounder amount or period",
            () -> Limit.custom("rpm", 1, Limit.MAX_TOKENS - 1, Duration.ofDays(1).minusMillis(1))));
  }

  static Stream<Arguments> notations() {
    return Stream.of(
        refused(notTheForm(""), () -> LimitNotation.parse("")),
        refused(notTheForm("rpm"), () -> LimitNotation.parse("rpm")),
        refused(notTheForm("rpm:1.5"), () -> LimitNotation.parse("rpm:1.5")),
        refused(notTheForm("rpm:-1"), () -> LimitNotation.parse("rpm:-1")),
        refused(notTheForm("rpm:1/month"), () -> LimitNotation.parse("rpm:1/month")),
        refused(notTheForm("rpm:1/MIN"), () -> LimitNotation.parse("rpm:1/MIN")),
        refused(notTheForm("rpm:1\n"), () -> LimitNotation.parse("rpm:1\n")),
        refused("limit '' is empty", () -> LimitNotation.parse(":1")),
        refused("limit 'wcu' is reserved", () -> LimitNotation.parse("wcu:1")),
        refused(
            "limit 'rpm:99999999999999999999': rate 99999999999999999999 is too large",
            () -> LimitNotation.parse("rpm:99999999999999999999")),
        refused(
            "limit 'rpm:1:99999999999999999999': burst 99999999999999999999 is too large",
            () -> LimitNotation.parse("rpm:1:99999999999999999999")),
        refused(
            "limit 'rpm:1/99999999999999999999day': N 99999999999999999999 is too large",
            () -> LimitNotation.parse("rpm:1/99999999999999999999day")),
        refused(
            "limit 'rpm:1/367day': the period is longer than 366 days",
            () -> LimitNotation.parse("rpm:1/367day")),
        refused(
            "limit 'rpm:1/9000000000000000000sec': the period is longer than 366 days",
            () -> LimitNotation.parse("rpm:1/9000000000000000000sec")),
        refused(
            "limit 'rpm': refill period PT0S must be a positive number of whole milliseconds",
            () -> LimitNotation.parse("rpm:1/0min")),
        refused(
            "limit 'rpm': capacity 0 must be from 1 to 1000000000000000",
            () -> LimitNotation.parse("rpm:0")),
        refused(
            "limit 'rpm': capacity 0 must be from 1 to 1000000000000000",
            () -> LimitNotation.parse("rpm:1:0")));
  }

  static Stream<Arguments> sets() {
    List<Limit> seventeen =
        IntStream.range(0, LimitSet.MAX_LIMITS + 1)
            .mapToObj(i -> Limit.perMinute("limit" + i, 1))
            .toList();
    return Stream.of(
        refused("limits: at least one is needed", () -> LimitSet.of()),
        refused("limits: at least one is needed", () -> LimitSet.of(List.of())),
        refused("limits: 17 given, at most 16 fit one bucket", () -> LimitSet.of(seventeen)),
        refused(
            "limits: 'rpm' is given twice",
            () ->
                LimitSet.of(
                    Limit.perMinute("rpm", 1), Limit.perMinute("a", 1), Limit.perDay("rpm", 2))),
        refused(
            "limits: 'rpm' is given twice",
            () -> LimitSet.of(Collections.nCopies(2, Limit.perMinute("rpm", 1)))));
  }

  static Stream<Arguments> requests() {
    AcquireRequest request = AcquireRequest.of("key-42", "gpt-4");
    LimitSet limits = LimitSet.of(Limit.perMinute("rpm", 10), Limit.perMinute("tpm", 10));
    return Stream.of(
        refused("entityId '' is empty", () -> AcquireRequest.of("", "gpt-4")),
        refused("resource '' is empty", () -> AcquireRequest.of("key-42", "")),
        refused("limits: at least one is needed", () -> request.limits()),
        refused("limit '' is empty", () -> request.consume("", 1)),
        refused("limit 'wcu' is reserved", () -> request.consume("wcu", 1)),
        // The original minted tokens here.
        refused(
            "limit 'rpm': amount -1 must be from 0 to 1000000000000000",
            () -> request.consume("rpm", -1)),
        refused(
            "limit 'rpm': amount -9223372036854775808 must be from 0 to 1000000000000000",
            () -> request.consume("rpm", Long.MIN_VALUE)),
        refused(
            "limit 'rpm': amount 1000000000000001 must be from 0 to 1000000000000000",
            () -> request.consume("rpm", Limit.MAX_TOKENS + 1)),
        refused(
            "limit 'rpm': amount 9223372036854775807 must be from 0 to 1000000000000000",
            () -> request.consume("rpm", Long.MAX_VALUE)),
        refused(
            "limit 'rpm' is consumed twice in one request",
            () -> request.consume("rpm", 1).consume("tpm", 1).consume("rpm", 0)),
        refused(
            "request for key-42/gpt-4 has no limits: add .limits(…)",
            () -> request.consume("rpm", 1).requireLimits()),
        refused(
            "request for key-42/gpt-4 has no limits: add .limits(…)",
            () -> request.consume("rpm", 1).requireAmounts()),
        refused(
            "request for key-42/gpt-4 consumes nothing: add .consume(…)",
            () -> request.limits(limits).requireAmounts()),
        // The original ignored a limit that it did not know.
        refused(
            "limit 'rpd' is not one of the limits of this bucket: [rpm, tpm]",
            () -> request.limits(limits).consume("rpd", 1).requireAmounts()),
        refused(
            "an acquire cannot give back: tpm=-0.001",
            () -> BucketDemand.acquire(Amounts.ofMilli(limits, new long[] {0, -1}))),
        refused(
            "limit 'rpm': amount 9223372036854775807 must be from -1000000000000000 to"
                + " 1000000000000000",
            () -> Amounts.ofTokens(limits, Map.of("rpm", Long.MAX_VALUE))),
        refused(
            "limit 'rpm': amount -1000000000000001 must be from -1000000000000000 to"
                + " 1000000000000000",
            () -> Amounts.ofTokens(limits, Map.of("rpm", -Limit.MAX_TOKENS - 1))));
  }

  static Stream<Arguments> settings() {
    return Stream.of(
        refused("grain 0 ms must be from 1 to 10000", () -> new PlanSettings(0, 1)),
        refused("grain -1 ms must be from 1 to 10000", () -> new PlanSettings(-1, 1)),
        refused("grain 10001 ms must be from 1 to 10000", () -> new PlanSettings(10_001, 1)),
        refused("maxSkew 0 ms must be from 1 to 3600000", () -> new PlanSettings(1, 0)),
        refused(
            "maxSkew 3600001 ms must be from 1 to 3600000", () -> new PlanSettings(1, 3_600_001)));
  }

  private static Arguments refused(String message, ThrowingCallable construct) {
    return arguments(message, construct);
  }

  private static String notTheForm(String text) {
    return "limit '" + text + "' is not of the form name:rate[/[N]sec|min|hour|day][:burst][:soft]";
  }

  /** What a caller without null checks may pass. */
  @SuppressWarnings("NullAway")
  private static String missing() {
    return null;
  }
}
