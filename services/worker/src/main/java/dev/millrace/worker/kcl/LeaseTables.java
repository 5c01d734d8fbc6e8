package dev.millrace.worker.kcl;

import dev.millrace.worker.StopSignal;
import dev.millrace.worker.WorkerException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.kinesis.common.StreamConfig;
import software.amazon.kinesis.coordinator.CoordinatorConfig;
import software.amazon.kinesis.coordinator.CoordinatorStateDAO;
import software.amazon.kinesis.coordinator.DeletedStreamListProvider;
import software.amazon.kinesis.coordinator.migration.ClientVersion;
import software.amazon.kinesis.coordinator.migration.MigrationState;
import software.amazon.kinesis.leases.LeaseManagementConfig;
import software.amazon.kinesis.leases.LeaseManagementFactory;
import software.amazon.kinesis.leases.LeaseRefresher;
import software.amazon.kinesis.leases.dynamodb.DynamoDBLeaseSerializer;
import software.amazon.kinesis.leases.exceptions.LeasingException;
import software.amazon.kinesis.metrics.NullMetricsFactory;

/**
 * The set-up of the tables that the workers of an application share: the leases, and the state that
 * selects how they are assigned. Any number of workers may run it at once.
 *
 * <p>KCL's own set-up suits hundreds of shards: the first worker waits up to half a minute before
 * it lists the shards, and a leader assigns the leases. When the leader dies, two minutes pass
 * before there is another, and until then no worker takes over its shards. Here every worker lists
 * the shards itself and takes expired leases, as workers of KCL 2 do; KCL 3 keeps that way for
 * applications whose state says so.
 */
final class LeaseTables {
  private static final int POLL_SECONDS = 1;
  private static final int TIMEOUT_SECONDS = 120;
  private static final int MAX_ATTEMPTS = 30;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Logger LOG = System.getLogger(LeaseTables.class.getName());

  private LeaseTables() {}

  static void prepare(
      CoordinatorConfig coordinator,
      LeaseManagementConfig leases,
      StreamConfig stream,
      StopSignal stop) {
    for (int attempt = 1; ; attempt++) {
      try {
        prepare(coordinator, leases, stream);
        return;
      } catch (ResourceInUseException e) { // another worker makes the table at this moment
        if (attempt == MAX_ATTEMPTS || stop.await(PAUSE)) {
          throw new WorkerException("The tables of leases are being made, and do not get done", e);
        }
      } catch (LeasingException e) {
        throw new WorkerException("Could not prepare the tables of leases: " + e.getMessage(), e);
      }
    }
  }

  private static void prepare(
      CoordinatorConfig coordinator, LeaseManagementConfig leases, StreamConfig stream)
      throws LeasingException {
    CoordinatorStateDAO states =
        new CoordinatorStateDAO(leases.dynamoDBClient(), coordinator.coordinatorStateTableConfig());
    states.initialize();
    boolean unused =
        states.createCoordinatorStateIfNotExists(
            new MigrationState(MigrationState.MIGRATION_HASH_KEY, leases.workerIdentifier())
                .update(ClientVersion.CLIENT_VERSION_2X, leases.workerIdentifier()));
    LeaseManagementFactory factory =
        leases.leaseManagementFactory(new DynamoDBLeaseSerializer(), false);
    LeaseRefresher refresher = factory.createLeaseRefresher();
    boolean created = refresher.createLeaseTableIfNotExists();
    LOG.log(Level.DEBUG, created ? "Made the table of leases" : "There is a table of leases");
    if (!refresher.waitUntilLeaseTableExists(POLL_SECONDS, TIMEOUT_SECONDS)) {
      throw new WorkerException(
          "The table of leases was not ready within " + TIMEOUT_SECONDS + " s", null);
    }
    if (refresher.isLeaseTableEmpty()) {
      Exception failure =
          factory
              .createShardSyncTaskManager(
                  new NullMetricsFactory(), stream, new DeletedStreamListProvider())
              .callShardSyncTask()
              .getException();
      if (failure != null) {
        throw new WorkerException("Could not find out which shards the stream has", failure);
      }
    }
  }
}
