package dev.millrace.worker.kcl;

import com.amazonaws.services.dynamodbv2.streamsadapter.AmazonDynamoDBStreamsAdapterClient;
import com.amazonaws.services.dynamodbv2.streamsadapter.StreamsSchedulerFactory;
import com.amazonaws.services.dynamodbv2.streamsadapter.polling.DynamoDBStreamsPollingConfig;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.dynamodb.internal.schema.TableDefinition;
import dev.millrace.worker.StopSignal;
import dev.millrace.worker.WorkerException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.kinesis.common.ConfigsBuilder;
import software.amazon.kinesis.common.InitialPositionInStream;
import software.amazon.kinesis.common.InitialPositionInStreamExtended;
import software.amazon.kinesis.coordinator.CoordinatorConfig;
import software.amazon.kinesis.coordinator.CoordinatorConfig.ClientVersionConfig;
import software.amazon.kinesis.coordinator.Scheduler;
import software.amazon.kinesis.leases.LeaseManagementConfig;
import software.amazon.kinesis.metrics.NullMetricsFactory;
import software.amazon.kinesis.processor.ShardRecordProcessorFactory;
import software.amazon.kinesis.processor.StreamTracker;
import software.amazon.kinesis.retrieval.RetrievalConfig;

/**
 * A reader of a table's stream that shares it with the other workers of an application: each shard
 * is read by one of them at a time, and by another when that one stops or dies.
 */
public final class StreamReader implements AutoCloseable {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

  /** KCL looks this often for shards that are ready to be read. */
  private static final long DISPATCH_MS = 200;

  private static final long PARENT_POLL_MS = 1_000;
  private static final int MAX_INITIALISATIONS = 5;

  /** Most pages of shards that are read, of a hundred each. */
  private static final int MAX_SHARD_PAGES = 1_000;

  private static final Logger LOG = System.getLogger(StreamReader.class.getName());

  private final Scheduler scheduler;
  private final Thread thread;
  private final StopSignal stop;
  private final DynamoDbStreamsClient streams;
  private final StreamName name;

  private StreamReader(
      Scheduler scheduler, StopSignal stop, DynamoDbStreamsClient streams, StreamName name) {
    this.scheduler = scheduler;
    this.stop = stop;
    this.streams = streams;
    this.name = name;
    this.thread = new Thread(scheduler, "millrace-stream");
    thread.setDaemon(true);
  }

  /**
   * Begins to read. Returns once the shards are known; they are assigned afterwards.
   *
   * @throws WorkerException when the table has no stream, or is a global one, or the leases cannot
   *     be kept
   */
  public static StreamReader start(
      StreamClients clients,
      StreamSettings settings,
      Function<List<StreamRecord>, BatchResult> processor,
      List<StreamListener> listeners) {
    StreamName name = StreamName.of(streamArn(clients));
    DynamoDbStreamsClient streams =
        clients.streams().overrideConfiguration(o -> o.addExecutionInterceptor(name)).build();
    try {
      StopSignal stop = new StopSignal();
      Scheduler scheduler =
          scheduler(
              clients,
              settings,
              name,
              streams,
              () -> new ShardProcessor(name.label(), processor, listeners, stop),
              stop);
      StreamReader reader = new StreamReader(scheduler, stop, streams, name);
      reader.thread.start();
      return reader;
    } catch (RuntimeException e) {
      streams.close();
      throw e;
    }
  }

  private static String streamArn(StreamClients clients) {
    TableDescription table;
    try {
      table = clients.dynamo().describeTable(t -> t.tableName(clients.table())).table();
    } catch (ResourceNotFoundException e) {
      throw new WorkerException("There is no table '" + clients.table() + "'", e);
    }
    List<String> replicas = TableDefinition.replicas(table);
    if (!replicas.isEmpty()) { // its stream has the charges of the other regions, too
      throw new WorkerException(
          "Table '%s' is replicated by DynamoDB to %s: %s"
              .formatted(clients.table(), replicas, TableDefinition.REPLICAS_TODO),
          null);
    }
    @Nullable String arn = table.latestStreamArn();
    if (arn == null) {
      throw new WorkerException(
          "Table '%s' has no stream: turn it on, with NEW_AND_OLD_IMAGES"
              .formatted(clients.table()),
          null);
    }
    return arn;
  }

  private static Scheduler scheduler(
      StreamClients clients,
      StreamSettings settings,
      StreamName name,
      DynamoDbStreamsClient streams,
      ShardRecordProcessorFactory processors,
      StopSignal stop) {
    Region region = streams.serviceClientConfiguration().region();
    AmazonDynamoDBStreamsAdapterClient adapter =
        new AmazonDynamoDBStreamsAdapterClient(streams, region);
    InitialPositionInStream start =
        settings.start() == StreamSettings.Start.OLDEST
            ? InitialPositionInStream.TRIM_HORIZON
            : InitialPositionInStream.LATEST;
    StreamTracker tracker =
        StreamsSchedulerFactory.createSingleStreamTracker(
            name.shown(), InitialPositionInStreamExtended.newInitialPosition(start));
    ConfigsBuilder configs =
        new ConfigsBuilder(
            tracker,
            settings.application(),
            adapter,
            clients.leases(),
            new NoCloudWatch(),
            settings.worker(),
            processors);
    CoordinatorConfig coordinator =
        configs
            .coordinatorConfig()
            .clientVersionConfig(ClientVersionConfig.CLIENT_VERSION_CONFIG_COMPATIBLE_WITH_2X)
            .skipShardSyncAtWorkerInitializationIfLeasesExist(true)
            .shardConsumerDispatchPollIntervalMillis(DISPATCH_MS)
            .parentShardPollIntervalMillis(PARENT_POLL_MS)
            .maxInitializationAttempts(MAX_INITIALISATIONS);
    LeaseManagementConfig leases =
        configs
            .leaseManagementConfig()
            .failoverTimeMillis(settings.failover().toMillis())
            .leasesRecoveryAuditorInconsistencyConfidenceThreshold(0)
            .shardSyncIntervalMillis(0); // the adapter sets it too, but too late
    RetrievalConfig retrieval =
        configs
            .retrievalConfig()
            .retrievalSpecificConfig(
                new DynamoDBStreamsPollingConfig(adapter)
                    .idleTimeBetweenReadsInMillis(settings.poll().toMillis())
                    .maxRecords(settings.batchSize()));
    Scheduler scheduler =
        StreamsSchedulerFactory.createScheduler(
            configs.checkpointConfig(),
            coordinator,
            leases,
            configs.lifecycleConfig(),
            configs.metricsConfig().metricsFactory(new NullMetricsFactory()),
            configs.processorConfig().callProcessRecordsEvenForEmptyRecordList(true),
            retrieval,
            adapter);
    LeaseTables.prepare(coordinator, leases, tracker.streamConfigList().get(0), stop);
    return scheduler;
  }

  /**
   * The shards of the stream that can still be written to, those of other workers included.
   *
   * @throws software.amazon.awssdk.core.exception.SdkException when the stream cannot be described
   */
  public Set<String> openShards() {
    Set<String> open = new HashSet<>();
    @Nullable String last = null;
    for (int page = 0; page < MAX_SHARD_PAGES; page++) {
      @Nullable String from = last;
      StreamDescription stream =
          streams
              .describeStream(d -> d.streamArn(name.real()).exclusiveStartShardId(from))
              .streamDescription();
      for (Shard shard : stream.shards()) {
        if (shard.sequenceNumberRange().endingSequenceNumber() == null) {
          open.add(shard.shardId());
        }
      }
      last = stream.lastEvaluatedShardId();
      if (last == null) {
        break;
      }
    }
    return open;
  }

  /** Whether it still reads, or tries to. */
  public boolean isRunning() {
    return thread.isAlive();
  }

  /**
   * Stops in good order: batches under way are finished and checkpointed, and the leases given
   * back, so that other workers need not wait until they expire.
   */
  @Override
  public void close() {
    stop.stop();
    try (streams) {
      Boolean graceful =
          scheduler.startGracefulShutdown().get(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      LOG.log(Level.DEBUG, "stopped, in good order: {0}", graceful);
      thread.join(STOP_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      scheduler.shutdown();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.WARNING, "Did not stop in good order; the leases expire", e);
      scheduler.shutdown();
    }
  }

  /** The client that KCL requires and, with its metrics off, never calls. */
  private static final class NoCloudWatch implements CloudWatchAsyncClient {
    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }
}
