package dev.millrace.deploy.policy;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Sharding;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.NewEntity;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.deploy.LocalEngine;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedS3;
import dev.millrace.s3.S3Destinations;
import dev.millrace.s3.S3Location;
import dev.millrace.worker.AggregatorWorker;
import dev.millrace.worker.WorkerMetrics;
import dev.millrace.worker.WorkerMetrics.Count;
import dev.millrace.worker.WorkerSettings;
import dev.millrace.worker.kcl.StreamClients;
import dev.millrace.worker.kcl.StreamSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.s3.S3Client;

/** A worker that counts usage, grows a bucket, archives audit events and puts a record aside. */
final class WorkerRun {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int ACQUIRES = 60;

  private WorkerRun() {}

  static Set<ApiCall> record(String table) throws Exception {
    try (EmbeddedS3 s3 = EmbeddedS3.start();
        DynamoDbClient dynamo = LocalEngine.client();
        S3Client bucket = LocalEngine.s3(s3.endpoint());
        DynamoDbAsyncClient leases = LocalEngine.configure(DynamoDbAsyncClient.builder()).build()) {
      bucket.createBucket(b -> b.bucket("archive"));
      prepare(dynamo, table);
      StreamClients streams = LocalEngine.streamClients(table, leases);
      WorkerMetrics metrics =
          new WorkerMetrics(new SimpleMeterRegistry(), System::currentTimeMillis);
      return Recorder.during(
          () -> {
            try (AggregatorWorker worker =
                AggregatorWorker.start(streams, settings(bucket, table), metrics, null)) {
              await(worker, metrics);
            }
            return null;
          });
    }
  }

  private static void prepare(DynamoDbClient dynamo, String table) {
    TableAdmin.of(dynamo, table).createIfMissing();
    BlockingStore store = DynamoStore.of(dynamo, table);
    try (Admin admin = Admin.of(store, AdminOptions.of("test"))) {
      admin.in("default").entities().create(NewEntity.of("acme"));
    }
    LimiterOptions few =
        LimiterOptions.builder()
            .timeout(Duration.ofMinutes(1))
            .partitionWriteUnits(10)
            .grouping(false)
            .sharding(Sharding.DEFAULT.withMaxShards(1)) // the worker shall do it
            .build();
    try (RateLimiter limiter = RateLimiter.create(store, few)) {
      for (int i = 0; i < ACQUIRES; i++) {
        limiter
            .acquire(
                AcquireRequest.of("acme", "gpt-4")
                    .limits(Limit.perMinute("rpm", 1_000))
                    .consume("rpm", 1))
            .close();
      }
    }
    dynamo.putItem(
        p ->
            p.tableName(table)
                .item(
                    Map.of(
                        "PK", AttributeValue.fromS("default/BUCKET#bad#gpt-4#0"),
                        "SK", AttributeValue.fromS("#STATE"),
                        "entity_id", AttributeValue.fromS("other"),
                        "resource", AttributeValue.fromS("gpt-4"),
                        "b_rpm_tc", AttributeValue.fromN("7000"))));
  }

  private static WorkerSettings settings(S3Client s3, String table) {
    return new WorkerSettings(
        table,
        new StreamSettings(
            table + "-aggregator",
            "worker",
            Duration.ofSeconds(1),
            Duration.ofMillis(50),
            100,
            StreamSettings.Start.OLDEST),
        /* zones= */ Set.of(),
        S3Destinations.deadLetters(s3, S3Location.parse("s3://archive/dead-letters")),
        S3Destinations.archive(s3, S3Location.parse("s3://archive/audit")),
        /* growth= */ true);
  }

  private static void await(AggregatorWorker worker, WorkerMetrics metrics) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      if (metrics.count(Count.APPLIED) >= ACQUIRES
          && metrics.count(Count.POISON) > 0
          && metrics.count(Count.ARCHIVED) > 0
          && metrics.count(Count.RESIZED) > 0) {
        return;
      }
      if (System.nanoTime() > end || !worker.isRunning()) {
        throw new AssertionError("the worker did not do everything: " + metrics.fields());
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
