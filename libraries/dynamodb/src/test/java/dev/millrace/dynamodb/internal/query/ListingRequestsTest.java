package dev.millrace.dynamodb.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.directory.Listing;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** Every listing as its request. */
class ListingRequestsTest {
  static Stream<Arguments> queries() {
    return Stream.of(
        index(new Listing.Roots("ns"), "GSI1", "ns/ROOTS", "begins_with CHILD#"),
        index(new Listing.Children("ns", "x"), "GSI1", "ns/PARENT#x", "begins_with CHILD#"),
        index(
            new Listing.BucketsOfResource("ns", "a/b"),
            "GSI2",
            "ns/RESOURCE#a/b",
            "begins_with BUCKET#"),
        index(
            new Listing.BucketsOfEntity("ns", "x:y"),
            "GSI3",
            "ns/ENTITY#x:y",
            "begins_with BUCKET#"),
        index(new Listing.ConfiguredEntities("ns", "a/b"), "GSI4", "ns/ENTITY_CONFIG#a/b", ""),
        index(new Listing.DefaultedEntities("ns"), "GSI4", "ns/ENTITY_CONFIG#_default_", ""),
        index(new Listing.ResourceConfigs("ns"), "GSI4", "ns/RESOURCES", ""),
        index(new Listing.AuditOfNamespace("ns", "", ""), "GSI4", "ns/AUDIT", ""),
        index(new Listing.AuditOfNamespace("ns", "a", ""), "GSI4", "ns/AUDIT", "from a"),
        index(new Listing.AuditOfNamespace("ns", "", "b"), "GSI4", "ns/AUDIT", "to b"),
        index(new Listing.AuditOfNamespace("_", "a", "b"), "GSI4", "_/AUDIT", "from a to b"),
        table(new Listing.ConfigsOfEntity("ns", "x"), "ns/ENTITY#x", "begins_with #CONFIG#"),
        table(new Listing.ItemsOfEntity("ns", "x"), "ns/ENTITY#x", ""),
        table(new Listing.UsageOfEntity("ns", "x"), "ns/ENTITY#x", "begins_with #USAGE#"),
        table(new Listing.Jobs("ns"), "ns/SYSTEM#", "begins_with #JOB#"),
        table(new Listing.Jobs("_"), "_/SYSTEM#", "begins_with #JOB#"),
        table(new Listing.Namespaces(), "_/SYSTEM#", "begins_with #NAMESPACE#"),
        table(new Listing.AuditOfSubject("ns", "x y#z", "", ""), "ns/AUDIT#x y#z", ""),
        table(
            new Listing.AuditOfSubject("ns", "x", "a", "b"),
            "ns/AUDIT#x",
            "from #AUDIT#a to #AUDIT#b"),
        table(new Listing.AuditOfSubject("ns", "x", "a", ""), "ns/AUDIT#x", "from #AUDIT#a"),
        table(new Listing.AuditOfSubject("ns", "x", "", "b"), "ns/AUDIT#x", "to #AUDIT#b"));
  }

  private static Arguments index(Listing listing, String index, String partition, String sort) {
    return Arguments.of(listing, index, partition, sort);
  }

  private static Arguments table(Listing listing, String partition, String sort) {
    return Arguments.of(listing, null, partition, sort);
  }

  @ParameterizedTest
  @MethodSource("queries")
  void query_listing_isOneRangeOfOnePartition(
      Listing listing, @Nullable String index, String partition, String sort) {
    QueryRequest request = query(listing, 7);
    assertThat(request.tableName()).isEqualTo("limits");
    assertThat(request.indexName()).isEqualTo(index);
    assertThat(request.consistentRead()).isEqualTo(index == null ? true : null);
    assertThat(request.limit()).isEqualTo(7);
    assertThat(request.exclusiveStartKey()).isEmpty();
    boolean newestFirst =
        listing instanceof Listing.AuditOfNamespace || listing instanceof Listing.AuditOfSubject;
    assertThat(request.scanIndexForward()).isEqualTo(!newestFirst);

    String prefix = index == null ? "" : index;
    Map<String, String> names = new TreeMap<>(Map.of("#p", prefix + "PK"));
    Map<String, String> values = new TreeMap<>(Map.of(":p", partition));
    String condition = "#p = :p";
    if (!sort.isEmpty()) {
      names.put("#s", prefix + "SK");
      String[] words = sort.split(" ", -1);
      if (words[0].equals("to")) {
        condition += " AND #s <= :to";
        values.put(":to", words[1]);
      } else {
        values.put(":from", words[1]);
        condition +=
            words[0].equals("begins_with")
                ? " AND begins_with(#s, :from)"
                : words.length == 2 ? " AND #s >= :from" : " AND #s BETWEEN :from AND :to";
        if (words.length == 4) {
          values.put(":to", words[3]);
        }
      }
    }
    assertThat(request.keyConditionExpression()).isEqualTo(condition);
    assertThat(request.expressionAttributeNames()).isEqualTo(names);
    Map<String, String> plain = new TreeMap<>();
    request.expressionAttributeValues().forEach((name, value) -> plain.put(name, value.s()));
    assertThat(plain).isEqualTo(values);
  }

  @Test
  void query_items_areAddressesOnly() {
    assertThat(query(new Listing.ItemsOfEntity("ns", "x"), 1).projectionExpression())
        .isEqualTo("PK, SK");
    assertThat(query(new Listing.UsageOfEntity("ns", "x"), 1).projectionExpression())
        .isEqualTo("PK, SK");
    assertThat(query(new Listing.ConfigsOfEntity("ns", "x"), 1).projectionExpression()).isNull();
  }

  /** What is read afterwards comes in one batch of at most a hundred. */
  @Test
  void query_indexedRecords_areAtMostOneBatch() {
    assertThat(query(new Listing.ResourceConfigs("ns"), 1_000).limit()).isEqualTo(100);
    assertThat(query(new Listing.AuditOfNamespace("ns", "", ""), 1_000).limit()).isEqualTo(100);
    assertThat(query(new Listing.Roots("ns"), 1_000).limit()).isEqualTo(1_000);
  }

  @Test
  void scan_allItems_readsAddressesOfEverything() {
    ScanRequest request = scan(new Listing.AllItems());
    assertThat(request.tableName()).isEqualTo("limits");
    assertThat(request.indexName()).isNull();
    assertThat(request.consistentRead()).isTrue();
    assertThat(request.limit()).isEqualTo(7);
    assertThat(request.projectionExpression()).isEqualTo("PK, SK");
    assertThat(request.filterExpression()).isNull();
  }

  /** The slash is part of the prefix, so that no namespace is the beginning of another. */
  @Test
  void scan_bucketsOfNamespace_leavesOutEverythingElse() {
    ScanRequest request = scan(new Listing.BucketsOfNamespace("a"));
    assertThat(request.filterExpression()).isEqualTo("begins_with(PK, :prefix)");
    assertThat(request.expressionAttributeValues())
        .containsOnly(Map.entry(":prefix", AttributeValue.fromS("a/BUCKET#")));
  }

  @Test
  void of_rangeThatEndsBeforeItBegins_isEmpty() {
    for (Listing listing :
        new Listing[] {
          new Listing.AuditOfNamespace("ns", "b", "a"),
          new Listing.AuditOfSubject("ns", "x", "b", "a")
        }) {
      assertThat(((ListingPlan.Query) ListingPlan.of(listing)).isEmpty()).isTrue();
    }
    Listing one = new Listing.AuditOfSubject("ns", "x", "a", "a");
    assertThat(((ListingPlan.Query) ListingPlan.of(one)).isEmpty()).isFalse();
  }

  @Test
  void query_pageSizeBelowOne_isRefused() {
    assertThatThrownBy(() -> query(new Listing.Roots("ns"), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pageSize 0 must be at least 1");
  }

  static Stream<Listing> hostile() {
    return Stream.of("a/ENTITY#x", "a/b", "a#b", "", "_", "$a", "a b", "a\n")
        .flatMap(
            name ->
                Stream.of(
                    new Listing.Roots(name),
                    new Listing.Children(name, "x"),
                    new Listing.BucketsOfResource(name, "r"),
                    new Listing.BucketsOfEntity(name, "x"),
                    new Listing.BucketsOfNamespace(name),
                    new Listing.ConfiguredEntities(name, "r"),
                    new Listing.DefaultedEntities(name),
                    new Listing.ConfigsOfEntity(name, "x"),
                    new Listing.ResourceConfigs(name),
                    new Listing.ItemsOfEntity(name, "x"),
                    new Listing.UsageOfEntity(name, "x"),
                    new Listing.Children("ns", name),
                    new Listing.BucketsOfEntity("ns", name),
                    new Listing.ConfigsOfEntity("ns", name),
                    new Listing.ItemsOfEntity("ns", name)));
  }

  /** A listing is made without a check of its names. */
  @ParameterizedTest
  @MethodSource("hostile")
  void of_hostileName_isRefused(Listing listing) {
    assertThatThrownBy(() -> ListingPlan.of(listing)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void of_hostileNamesOfEventsAndResources_areRefused() {
    for (Listing listing :
        new Listing[] {
          new Listing.Jobs("a/SYSTEM#"),
          new Listing.AuditOfNamespace("a/b", "", ""),
          new Listing.AuditOfSubject("a/b", "x", "", ""),
          new Listing.AuditOfSubject("ns", "", "", ""),
          new Listing.AuditOfSubject("ns", "x", "\n", ""),
          new Listing.AuditOfNamespace("ns", "", "x".repeat(1_001)),
          new Listing.BucketsOfResource("ns", "_default_"),
          new Listing.ConfiguredEntities("ns", "_default_"),
          new Listing.ConfiguredEntities("ns", "r#s")
        }) {
      assertThatThrownBy(() -> ListingPlan.of(listing))
          .as("%s", listing)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static QueryRequest query(Listing listing, int pageSize) {
    return ListingRequests.query(
            "limits", (ListingPlan.Query) ListingPlan.of(listing), pageSize, null)
        .build();
  }

  private static ScanRequest scan(Listing listing) {
    return ListingRequests.scan("limits", (ListingPlan.Scan) ListingPlan.of(listing), 7, null)
        .build();
  }
}
