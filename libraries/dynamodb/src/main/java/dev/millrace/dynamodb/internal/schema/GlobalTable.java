package dev.millrace.dynamodb.internal.schema;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * A table that DynamoDB replicates between regions, which Millrace refuses. A replica overwrites
 * another's balance with its own, and a condition sees one replica only: every region could spend
 * the whole of a limit, and what one has charged the other forgets.
 */
public final class GlobalTable {
  /** What to do about it. */
  public static final String TODO =
      "remove the replicas: they overwrite each other's balances. Give each region a table of its"
          + " own, and let them share limits with 'millrace regions'";

  /** The first version of global tables, of which a description lists no replicas. */
  private static final String WITHOUT_LIST = "2017.11.29";

  private GlobalTable() {}

  /** Where DynamoDB replicates the table to; nothing for a table of one region. */
  public static List<String> replicas(TableDescription table) {
    if (table.hasReplicas() && !table.replicas().isEmpty()) {
      return table.replicas().stream().map(ReplicaDescription::regionName).sorted().toList();
    }
    return WITHOUT_LIST.equals(table.globalTableVersion())
        ? List.of("other regions, by version " + WITHOUT_LIST)
        : List.of();
  }
}
