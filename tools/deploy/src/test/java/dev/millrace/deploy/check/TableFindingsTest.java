package dev.millrace.deploy.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** Faults that DynamoDB Local does not have; the others are planted by {@code CheckCommandIT}. */
class TableFindingsTest {
  private static final TableDescription BARE =
      TableDescription.builder().tableName("limits").tableStatus(TableStatus.ACTIVE).build();

  @Test
  void of_replicatedTable_isAnErrorThatNamesTheRegions() {
    TableDescription global =
        BARE.toBuilder().replicas(replica("us-east-1"), replica("eu-west-1")).build();

    assertThat(TableFindings.of(global, null))
        .filteredOn(finding -> finding.id().equals("global-table"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
              assertThat(finding.what()).contains("[eu-west-1, us-east-1]");
              assertThat(finding.todo()).contains("remove the replicas");
            });
  }

  @Test
  void of_tableOfOneRegion_isNoGlobalTable() {
    assertThat(TableFindings.of(BARE, null)).extracting(Finding::id).doesNotContain("global-table");
  }

  private static ReplicaDescription replica(String region) {
    return ReplicaDescription.builder().regionName(region).build();
  }
}
