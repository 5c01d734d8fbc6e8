package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.internal.expression.PlanRequests;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The table of writers in the architecture says what is really sent. */
class WritersTableTest {
  private static final String EXPRESSIONS = "| plan | update | condition | moves rf |";
  private static final String WRITERS = "| plan | who writes it | write units |";

  /** A {@code Locked} that also changes the limits; not a kind of plan, but a row of its own. */
  private static final String REPARAMETERISE = "Reparameterise";

  private static final String TABLE = "limits";
  private static final BucketKey KEY = BucketKey.first("default", "key-42", "gpt-4");
  private static final Limit LIMIT = Limit.perMinute("rpm", 100);
  private static final long EXPIRES_AT = 1_800_000_000;
  private static final long COST = -1_000;
  private static final List<LimitChange> BOUNDED =
      List.of(new LimitChange("rpm", -1_000, 1_000, 1_000, 100_000));

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {EXPRESSIONS, WRITERS})
  void table_hasOneRowForEachKindOfPlan(String header) throws IOException {
    Set<String> kinds = new HashSet<>();
    Arrays.stream(WritePlan.class.getPermittedSubclasses())
        .map(Class::getSimpleName)
        .forEach(kinds::add);
    kinds.add(REPARAMETERISE);

    assertThat(rows(header))
        .extracting(row -> row.get(0))
        .containsExactlyInAnyOrderElementsOf(kinds);
  }

  @Test
  void rows_areWhatIsRendered() throws IOException {
    Map<String, UpdateItemRequest> rendered =
        Map.of(
            "Locked",
            locked(WritePlan.Parameters.UNCHANGED),
            REPARAMETERISE,
            locked(setOneAddOneRemoveOne()),
            "Consume",
            consume(),
            "Adjust",
            adjust(),
            "Resize",
            resize());

    for (List<String> row : rows(EXPRESSIONS)) {
      UpdateItemRequest request = rendered.get(row.get(0));
      if (request != null) {
        assertThat(row)
            .containsExactly(
                row.get(0),
                "`" + request.updateExpression() + "`",
                "`" + request.conditionExpression() + "`",
                request.updateExpression().contains("rf = ") ? "yes" : "no");
      } else if (row.get(0).equals("Remove")) {
        assertThat(row)
            .containsExactly(
                "Remove", "`DeleteItem`, in a transaction", "`" + removeCondition() + "`", "no");
      } else {
        assertThat(row)
            .containsExactly(
                "Create", "`PutItem` of the whole item", "`" + createCondition() + "`", "yes");
      }
    }
  }

  private static List<List<String>> rows(String header) throws IOException {
    return Markdown.table(Repository.read("docs/design/architecture.md"), header);
  }

  private static String createCondition() {
    BucketState state = BucketState.full(KEY, LimitSet.of(LIMIT), 1_700_000_000_000L);
    return PlanRequests.create(TABLE, new WritePlan.Create(state)).build().conditionExpression();
  }

  private static String removeCondition() {
    return PlanRequests.remove(TABLE, new WritePlan.Remove(KEY.withShard(1), "before", "op"))
        .build()
        .conditionExpression();
  }

  private static UpdateItemRequest locked(WritePlan.Parameters parameters) {
    return PlanRequests.update(
            TABLE, new WritePlan.Locked(KEY, 1, 1, 2, BOUNDED, parameters, COST, EXPIRES_AT, "op"))
        .build();
  }

  private static WritePlan.Parameters setOneAddOneRemoveOne() {
    return new WritePlan.Parameters(
        List.of(LIMIT),
        List.of(LimitState.full(Limit.perMinute("tpm", 10_000))),
        List.of(new WritePlan.Removal("rpd", 1_000)));
  }

  private static UpdateItemRequest consume() {
    return PlanRequests.update(
            TABLE, new WritePlan.Consume(KEY, 1, 1, BOUNDED, COST, EXPIRES_AT, "op"))
        .build();
  }

  private static UpdateItemRequest adjust() {
    List<LimitChange> changes = List.of(LimitChange.unconditional("rpm", -1_000, 1_000));
    return PlanRequests.update(TABLE, new WritePlan.Adjust(KEY, changes, COST, EXPIRES_AT, "op"))
        .build();
  }

  private static UpdateItemRequest resize() {
    return PlanRequests.update(TABLE, new WritePlan.Resize(KEY, 1, 2, COST, "op")).build();
  }
}
