package dev.millrace.deploy.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class StackTemplateTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final StackTemplate TEMPLATE = StackTemplate.load();

  @Test
  void compact_always_fitsIntoARequest() {
    assertThat(TEMPLATE.compact().getBytes(StandardCharsets.UTF_8).length)
        .isLessThan(StackTemplate.MAX_BYTES * 9 / 10);
  }

  @Test
  void pretty_always_saysTheSame() throws Exception {
    assertThat(JSON.readTree(TEMPLATE.pretty())).isEqualTo(JSON.readTree(TEMPLATE.compact()));
  }

  @Test
  void parameters_always_areDescribedAndHaveAnOptionOfTheirOwn() {
    assertThat(TEMPLATE.parameters()).extracting(StackParameter::option).doesNotHaveDuplicates();
    assertThat(TEMPLATE.parameters())
        .allSatisfy(parameter -> assertThat(parameter.description()).endsWith("."))
        .extracting(StackParameter::option)
        .contains("--log-retention-days", "--table-name", "--encryption-key-arn");
  }

  @Test
  void document_always_namesEveryParameterAndNoOther() throws Exception {
    String section =
        Files.readString(Path.of("../../docs/operate/deployment.md"))
            .split("\\| about \\| parameters \\|", 2)[1]
            .split("\n\n", 2)[0];
    List<String> named =
        Pattern.compile("`(\\w+)`")
            .matcher(section)
            .results()
            .map(found -> found.group(1))
            .toList();

    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(
            TEMPLATE.parameters().stream().map(StackParameter::name).toList());
  }

  /** A stack that is deleted must not take the tenants' limits with it. */
  @Test
  void data_always_outlivesTheStack() {
    for (JsonNode resource : TEMPLATE.tree().get("Resources")) {
      String type = resource.get("Type").asText();
      if (type.equals("AWS::DynamoDB::Table") || type.equals("AWS::S3::Bucket")) {
        assertThat(resource.get("DeletionPolicy").asText()).isEqualTo("RetainExceptOnCreate");
        assertThat(resource.get("UpdateReplacePolicy").asText()).isEqualTo("Retain");
      }
    }
  }

  @Test
  void aggregator_always_isAClassThatThereIs() {
    String handler =
        TEMPLATE.tree().at("/Resources/Aggregator/Properties/Handler").asText().split("::", 2)[0];

    assertThat(Path.of("../../services/lambda/src/main/java", handler.replace('.', '/') + ".java"))
        .matches(Files::exists);
  }

  /** Keys begin with the namespace, so a filter on what they begin with would let nothing pass. */
  @Test
  void filter_recordsOfTheTable_letsBucketsAndAuditEventsPass() throws Exception {
    JsonNode accepted =
        JSON.readTree(
                TEMPLATE
                    .tree()
                    .at("/Resources/AggregatorSource/Properties/FilterCriteria/Filters/0/Pattern")
                    .asText())
            .at("/dynamodb/Keys/SK/S");

    assertThat(passes(accepted, BucketCodec.key(BucketKey.first("ns", "key-1", "gpt-4")))).isTrue();
    assertThat(passes(accepted, RecordCodec.key(new RecordKey.Audit("ns", "key-1", "1")))).isTrue();
    assertThat(passes(accepted, RecordCodec.key(new RecordKey.Entity("ns", "key-1")))).isFalse();
    assertThat(passes(accepted, RecordCodec.key(RecordKey.Config.ofSystem("ns")))).isFalse();
    assertThat(passes(accepted, SortKeys.usage("gpt-4", "hour", "2026"))).isFalse();
  }

  private static boolean passes(JsonNode accepted, Map<String, AttributeValue> key) {
    AttributeValue sort = key.get("SK");
    return sort != null && passes(accepted, sort.s());
  }

  /** As Lambda judges: one of the texts, or what begins with one of the prefixes. */
  private static boolean passes(JsonNode accepted, String sort) {
    for (JsonNode each : accepted) {
      if (each.isTextual()
          ? each.asText().equals(sort)
          : sort.startsWith(each.get("prefix").asText())) {
        return true;
      }
    }
    return false;
  }
}
