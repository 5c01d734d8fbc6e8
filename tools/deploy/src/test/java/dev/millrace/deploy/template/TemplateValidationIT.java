package dev.millrace.deploy.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The template is one that CloudFormation understands, and the validator would notice if not. */
class TemplateValidationIT {
  private static final String ACCOUNT = "arn:aws:iam::111122223333:";

  /** For parameters that are empty by default: both branches of a condition are then judged. */
  private static final Map<String, String> GIVEN =
      Map.ofEntries(
          Map.entry("EncryptionKeyArn", "arn:aws:kms:us-east-1:111122223333:key/12ab-34cd"),
          Map.entry("CodeBucket", "code"),
          Map.entry("CodeKey", "millrace.jar"),
          Map.entry("Zones", "Europe/Berlin"),
          Map.entry("ArchiveBucketName", "archive"),
          Map.entry("SyncRegion", "eu"),
          Map.entry("SyncBucketName", "sync"),
          Map.entry("TrustedPrincipalArn", ACCOUNT + "root"),
          Map.entry("AggregatorRoleArn", ACCOUNT + "role/aggregator"),
          Map.entry("SyncRoleArn", ACCOUNT + "role/sync"),
          Map.entry("PermissionsBoundaryArn", ACCOUNT + "policy/boundary"),
          Map.entry("RolePrefix", "role-"),
          Map.entry("RoleSuffix", "-r"),
          Map.entry("PolicyPrefix", "policy-"),
          Map.entry("PolicySuffix", "-p"),
          Map.entry("AlarmTopicArn", "arn:aws:sns:us-east-1:111122223333:ops"));

  private static final StackTemplate TEMPLATE = StackTemplate.load();

  @TempDir private Path directory;

  @Test
  void overrides_coverEveryParameterThatIsEmpty() {
    assertThat(TEMPLATE.parameters())
        .filteredOn(parameter -> parameter.defaultValue().isEmpty())
        .extracting(StackParameter::name)
        .containsExactlyInAnyOrderElementsOf(GIVEN.keySet());
  }

  @Test
  void validate_templateAndTemplatesWithAFault_onlyTheFaultsAreFound() throws Exception {
    Map<String, String> faulty = new LinkedHashMap<>();
    faulty.put("unknown-property", broken(t -> table(t).put("Colour", "red")));
    faulty.put("wrong-value", broken(t -> table(t).put("BillingMode", "FREE")));
    faulty.put(
        "missing-property", broken(t -> properties(t, "Aggregator").remove(List.of("Code"))));
    faulty.put("dangling-reference", broken(t -> resources(t).remove(List.of("LostBatches"))));
    faulty.put(
        "unknown-type",
        broken(t -> ((ObjectNode) resources(t).get("Sync")).put("Type", "AWS::Lambda::Funktion")));
    faulty.put(
        "wrong-type", broken(t -> properties(t, "AggregatorSource").put("BatchSize", "many")));
    faulty.put(
        "unknown-attribute",
        broken(t -> resources(t).withArray("/SyncRule/Properties/Targets").addObject())
            .replace("\"StreamArn\"]", "\"RiverArn\"]"));
    Map<String, String> all = new LinkedHashMap<>(faulty);
    all.put("good", TEMPLATE.compact());

    Map<String, List<String>> found = new Validator(directory, GIVEN).validate(all);

    assertThat(found.get("good")).isEmpty();
    for (String fault : faulty.keySet()) {
      assertThat(found.get(fault)).as(fault).isNotEmpty();
    }
  }

  /** Where packages come from is the machine's affair, not the project's. */
  @Test
  void lockFile_namesNoRegistry() throws Exception {
    assertThat(Files.readString(Path.of("src/test/node/package-lock.json")))
        .doesNotContain("http")
        .contains("\"integrity\"");
  }

  private static String broken(Consumer<ObjectNode> fault) {
    ObjectNode template = TEMPLATE.tree();
    fault.accept(template);
    return template.toString();
  }

  private static ObjectNode resources(ObjectNode template) {
    return (ObjectNode) template.get("Resources");
  }

  private static ObjectNode properties(ObjectNode template, String resource) {
    return (ObjectNode) resources(template).get(resource).get("Properties");
  }

  private static ObjectNode table(ObjectNode template) {
    return properties(template, "Table");
  }
}
