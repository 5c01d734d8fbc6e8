package dev.millrace.examples.llmgateway;

import dev.millrace.Limit;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.examples.llmgateway.FakeProvider.Bill;
import dev.millrace.examples.llmgateway.Load.Outcome;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The requests and tokens of each tenant, and what they cost.
 *
 * @param rows one for each key
 */
record Report(List<Row> rows) {
  /**
   * One key.
   *
   * @param outcomes how many requests ended how
   * @param refusedBy how many requests were refused by which limit
   * @param reserved tokens that were reserved before the calls
   * @param billed what the provider wants for them
   * @param key what the bucket of the key has counted
   * @param team what that of the team has
   * @param organisation what that of the organisation has, for all its teams
   */
  record Row(
      Tenant tenant,
      Map<Outcome.Kind, Long> outcomes,
      Map<String, Long> refusedBy,
      long reserved,
      Bill billed,
      Bill key,
      Bill team,
      Bill organisation) {
    long count(Outcome.Kind kind) {
      return outcomes.getOrDefault(kind, 0L);
    }
  }

  static Report of(
      Map<String, List<Outcome>> outcomes,
      Gateway gateway,
      FakeProvider provider,
      NamespaceAdmin namespace) {
    List<Row> rows = new ArrayList<>();
    for (Tenant tenant : Tenant.ALL) {
      List<Outcome> own = outcomes.getOrDefault(tenant.key(), List.of());
      rows.add(
          new Row(
              tenant,
              own.stream()
                  .collect(
                      Collectors.groupingBy(Outcome::kind, TreeMap::new, Collectors.counting())),
              own.stream()
                  .filter(outcome -> outcome.kind() == Outcome.Kind.REFUSED)
                  .collect(
                      Collectors.groupingBy(Outcome::why, TreeMap::new, Collectors.counting())),
              gateway.reserved(tenant.key()),
              provider.billOf(tenant.key()),
              consumed(namespace, tenant.key()),
              consumed(namespace, tenant.team()),
              consumed(namespace, tenant.organisation())));
    }
    return new Report(List.copyOf(rows));
  }

  /** What the bucket of an entity has counted. */
  private static Bill consumed(NamespaceAdmin namespace, String entity) {
    Map<String, Long> consumed =
        namespace.buckets().get(entity, Load.MODEL).stream()
            .flatMap(bucket -> bucket.limits().stream())
            .collect(
                Collectors.toMap(
                    balance -> balance.limit().name(),
                    balance -> balance.consumedMilli() / Limit.MILLI));
    return new Bill(
        consumed.getOrDefault(Gateway.REQUESTS, 0L), consumed.getOrDefault(Gateway.TOKENS, 0L));
  }

  /** Whether every bucket has counted what the provider wants, to the token. */
  boolean isExact() {
    return rows.stream()
        .allMatch(
            row ->
                row.key().equals(row.billed())
                    && row.team().equals(row.billed())
                    && row.organisation().equals(billed(row.tenant().organisation())));
  }

  private Bill billed(String organisation) {
    return rows.stream()
        .filter(row -> row.tenant().organisation().equals(organisation))
        .map(Row::billed)
        .reduce(new Bill(0, 0), Bill::plus);
  }

  void print(PrintStream out) {
    out.printf(
        "%-11s%-12s|%9s%9s%9s%7s%8s%n",
        "plan", "key", "answered", "streamed", "hung up", "failed", "refused");
    for (Row row : rows) {
      out.printf(
          "%-11s%-12s|%9d%9d%9d%7d%8d  %s%n",
          row.tenant().plan(),
          row.tenant().key(),
          row.count(Outcome.Kind.ANSWERED),
          row.count(Outcome.Kind.STREAMED),
          row.count(Outcome.Kind.HUNG_UP),
          row.count(Outcome.Kind.FAILED),
          row.count(Outcome.Kind.REFUSED),
          row.refusedBy().keySet().stream().collect(Collectors.joining(", ")));
    }
    out.printf(
        "%n%-11s%-12s|%9s%9s | %-28s%n",
        "tokens", "key", "reserved", "billed", "counted: key, team, organisation");
    for (Row row : rows) {
      out.printf(
          "%-11s%-12s|%,9d%,9d |%,9d%,9d%,9d%n",
          "",
          row.tenant().key(),
          row.reserved(),
          row.billed().tokens(),
          row.key().tokens(),
          row.team().tokens(),
          row.organisation().tokens());
    }
    out.printf(
        "%nThe ledger %s what the provider has billed.%n", isExact() ? "equals" : "DIFFERS from");
  }
}
