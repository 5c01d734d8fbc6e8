package dev.millrace.deploy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.LocalEngine;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Each role is allowed everything that it was heard to ask, and has no action that it could do
 * without: whichever is removed, something that it asks is denied.
 */
class PoliciesIT {
  private static final String TAG = "millrace-namespace";

  private static RoleRuns runs;
  private static TemplatePolicies policies;
  private static Set<ApiCall> limiters;
  private static Set<ApiCall> ofNamespace;
  private static Set<ApiCall> ofTable;
  private static Set<ApiCall> readers;

  @BeforeAll
  static void record() throws Exception {
    runs = new RoleRuns();
    policies = new TemplatePolicies(runs.table, "eu");
    limiters = runs.limiters();
    readers = runs.readers();
    ofNamespace = runs.administrationOfNamespace();
    ofTable = runs.administrationOfTable();
  }

  @AfterAll
  static void close() {
    runs.close();
  }

  @Test
  void acquire_whatLimitersAsk_isAllowedAndNothingElse() {
    assertThat(limiters).hasSizeGreaterThan(5);
    assertExact(policies.managed("AcquirePolicy"), limiters, Map.of());
  }

  @Test
  void full_whatAdministratorsAsk_isAllowedAndNothingElse() throws Exception {
    Set<ApiCall> all = union(ofNamespace, ofTable, check());

    assertExact(policies.managed("FullPolicy"), all, Map.of());
    assertThat(denied(policies.managed("FullPolicy"), limiters, Map.of())).isEmpty();
  }

  @Test
  void read_whatReadersAsk_isAllowedAndNothingElse() throws Exception {
    Policy read = policies.managed("ReadPolicy");

    assertExact(read, union(readers, check()), Map.of());
    for (String action : List.of("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem")) {
      assertThat(read.allows(onTable("dynamodb:" + action, "x/ENTITY#1"))).as(action).isFalse();
    }
  }

  private static Set<ApiCall> check() throws Exception {
    return Recorder.during(
        () ->
            new dev.millrace.deploy.check.TableInspection(
                    runs.dynamo, runs.table, java.time.Clock.systemUTC())
                .inspect(/* quick= */ false, progress -> {}));
  }

  @Test
  void namespacePolicies_ownNamespace_areAllowedAndNothingElse() {
    Map<String, String> own = Map.of(TAG, runs.namespaceId());

    assertExact(policies.managed("NamespaceAcquirePolicy"), limiters, own);
    Set<ApiCall> administrators = new LinkedHashSet<>(ofNamespace);
    // When the answer to a bucket's change was lost, the bucket is read again.
    administrators.add(onTable("dynamodb:GetItem", runs.namespaceId() + "/BUCKET#key#gpt-4#0"));
    assertExact(policies.managed("NamespaceFullPolicy"), administrators, own);
    assertExact(policies.managed("NamespaceReadPolicy"), readers, own);
  }

  @Test
  void namespacePolicies_anotherNamespace_areDenied() {
    Map<String, Set<ApiCall>> asked =
        Map.of(
            "NamespaceAcquirePolicy", limiters,
            "NamespaceFullPolicy", ofNamespace,
            "NamespaceReadPolicy", readers);
    asked.forEach(
        (name, calls) -> {
          Policy policy = policies.managed(name);
          for (Map<String, String> tags : List.of(Map.of(TAG, "other"), Map.<String, String>of())) {
            for (ApiCall call : calls) {
              if (call.isOf(runs.namespaceId())) {
                assertThat(policy.allows(call, tags)).as("%s %s %s", name, tags, call).isFalse();
              }
            }
          }
        });
  }

  /** The list of namespaces may be read, so that a name can be looked up, and not be changed. */
  @Test
  void namespacePolicies_theTableItself_mayBeReadOnly() {
    Map<String, String> own = Map.of(TAG, runs.namespaceId());
    for (String name : List.of("NamespaceAcquirePolicy", "NamespaceFullPolicy")) {
      Policy policy = policies.managed(name);

      assertThat(policy.allows(onTable("dynamodb:GetItem", "_/SYSTEM#"), own)).isTrue();
      for (String action : List.of("PutItem", "UpdateItem", "DeleteItem")) {
        assertThat(policy.allows(onTable("dynamodb:" + action, "_/SYSTEM#"), own)).isFalse();
      }
      assertThat(policy.allows(ApiCall.of("dynamodb:Scan", arn()), own)).as("no keys").isFalse();
      assertThat(
              policy.allows(
                  new ApiCall(
                      "dynamodb:BatchGetItem",
                      arn(),
                      List.of(runs.namespaceId() + "/ENTITY#1", "other/ENTITY#1")),
                  own))
          .as("one key of another")
          .isFalse();
    }
  }

  @Test
  void worker_whatItAsks_isAllowedAndNothingElse() throws Exception {
    String table = LocalEngine.newName();
    TemplatePolicies own = new TemplatePolicies(table, "eu");
    Set<ApiCall> heard = WorkerRun.record(table);

    Set<ApiCall> worker = new LinkedHashSet<>(heard);
    // At the end of a shard its lease goes, after hours; a replay reads letters from the queue.
    worker.add(ApiCall.of("dynamodb:DeleteItem", TemplatePolicies.ACCOUNT + table + "-aggregator"));
    worker.add(ApiCall.of("sqs:ReceiveMessage", own.value("DeadLetters.Arn")));
    worker.add(ApiCall.of("sqs:DeleteMessage", own.value("DeadLetters.Arn")));
    assertExact(own.managed("WorkerPolicy"), worker, Map.of());

    Set<ApiCall> function = new LinkedHashSet<>(heard);
    function.removeIf(
        call ->
            call.resource().contains("-aggregator")
                || call.action().equals("dynamodb:DescribeTable")
                || call.resource().contains("/dead-letters/"));
    // Asked by Lambda itself in the role's name, and by the function of the queue.
    String stream = Recorder.stream(table);
    function.add(ApiCall.of("dynamodb:ListStreams", stream));
    function.add(ApiCall.of("sqs:SendMessage", own.value("DeadLetters.Arn")));
    function.add(ApiCall.of("sqs:SendMessage", own.value("LostBatches.Arn")));
    function.add(ApiCall.of("logs:CreateLogStream", own.value("AggregatorLogs.Arn")));
    function.add(ApiCall.of("logs:PutLogEvents", own.value("AggregatorLogs.Arn")));
    assertExact(own.ofRole("AggregatorRole"), function, Map.of());
  }

  @Test
  void sync_whatARegionAsks_isAllowedAndNothingElse() throws Exception {
    String prefix = LocalEngine.newName();
    Map<String, Set<ApiCall>> asked = SyncRun.record(prefix);

    Set<String> needless = new LinkedHashSet<>();
    asked.forEach(
        (region, calls) -> {
          TemplatePolicies own = new TemplatePolicies(prefix + region, region);
          calls.add(ApiCall.of("logs:CreateLogStream", own.value("SyncLogs.Arn")));
          calls.add(ApiCall.of("logs:PutLogEvents", own.value("SyncLogs.Arn")));
          Policy policy = own.ofRole("SyncRole");
          assertThat(denied(policy, calls, Map.of())).as(region).isEmpty();
          List<String> without = needless(policy, calls, Map.of());
          if (region.equals("eu")) {
            needless.addAll(without);
          } else {
            needless.retainAll(without); // one gives, the other takes
          }
          String others = own.value("SyncBucket.Arn") + "/millrace/ap/snapshot.json";
          assertThat(policy.allows(ApiCall.of("s3:PutObject", others))).isFalse();
          assertThat(policy.allows(ApiCall.of("s3:GetObject", others))).isTrue();
        });
    assertThat(needless).as("needless for both").isEmpty();
  }

  private static String arn() {
    return TemplatePolicies.ACCOUNT + runs.table;
  }

  private static ApiCall onTable(String action, String key) {
    return new ApiCall(action, arn(), List.of(key));
  }

  private static void assertExact(Policy policy, Set<ApiCall> asked, Map<String, String> tags) {
    assertThat(denied(policy, asked, tags)).as("denied").isEmpty();
    assertThat(needless(policy, asked, tags)).as("needless").isEmpty();
  }

  private static List<ApiCall> denied(Policy policy, Set<ApiCall> asked, Map<String, String> tags) {
    return asked.stream().filter(call -> !policy.allows(call, tags)).toList();
  }

  /** Actions without which nothing is denied. */
  private static List<String> needless(
      Policy policy, Set<ApiCall> asked, Map<String, String> tags) {
    List<String> needless = new ArrayList<>();
    for (String action : policy.actions()) {
      if (denied(policy.without(action), asked, tags).isEmpty()) {
        needless.add(action);
      }
    }
    return needless;
  }

  @SafeVarargs
  private static Set<ApiCall> union(Set<ApiCall>... sets) {
    Set<ApiCall> union = new LinkedHashSet<>();
    for (Set<ApiCall> set : sets) {
      union.addAll(set);
    }
    return union;
  }
}
