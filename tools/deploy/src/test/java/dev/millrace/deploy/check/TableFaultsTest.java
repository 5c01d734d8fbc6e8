package dev.millrace.deploy.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** Faults that DynamoDB Local does not have; the others are planted by {@code CheckCommandIT}. */
class TableFaultsTest {
  private static final TableDescription BARE =
      TableDescription.builder().tableName("limits").tableStatus(TableStatus.ACTIVE).build();

  @Test
  void of_replicatedTable_isAnErrorThatNamesTheRegions() {
    TableDescription global =
        BARE.toBuilder().replicas(replica("us-east-1"), replica("eu-west-1")).build();

    assertThat(faults(global))
        .filteredOn(finding -> finding.id().equals("global-table"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(TableFault.Severity.ERROR);
              assertThat(finding.what()).contains("[eu-west-1, us-east-1]");
              assertThat(finding.todo()).contains("remove the replicas");
            });
  }

  @Test
  void of_tableOfOneRegion_isNoGlobalTable() {
    assertThat(faults(BARE)).extracting(TableFault::id).doesNotContain("global-table");
  }

  private static ReplicaDescription replica(String region) {
    return ReplicaDescription.builder().regionName(region).build();
  }

  private static List<TableFault> faults(TableDescription table) {
    TableFaults faults = new TableFaults();
    faults.table(table, null);
    return faults.all();
  }
}
