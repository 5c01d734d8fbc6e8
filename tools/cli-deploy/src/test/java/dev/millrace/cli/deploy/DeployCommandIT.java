package dev.millrace.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.deploy.template.StackTemplate;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.internal.schema.TableDefinition;
import dev.millrace.embedded.EmbeddedS3;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Stacks, from the command through CloudFormation's protocol and back. */
class DeployCommandIT {
  private final DynamoDbClient dynamo = LocalEngine.client();
  private final String table = LocalEngine.newName();
  private FakeCloudFormation cloudFormation;

  @TempDir private Path directory;

  @BeforeEach
  void start() throws IOException {
    cloudFormation = new FakeCloudFormation();
    cloudFormation.onDone(
        (template, parameters) -> {
          // The table that the template makes is compared with this one in millrace-deploy.
          assertThat(template).isEqualTo(StackTemplate.load().tree());
          String made = parameters.getOrDefault("TableName", "");
          dynamo.createTable(TableDefinition.create(made));
          dynamo.updateTimeToLive(TableDefinition.timeToLive(made));
        });
  }

  @AfterEach
  void stop() {
    cloudFormation.close();
    dynamo.close();
  }

  private CommandRun deploy(String... options) {
    return run(new DeployCommand().command(), options);
  }

  private CommandRun run(Object command, String... options) {
    List<String> args = new ArrayList<>(List.of(options));
    args.add("--cloudformation-endpoint=" + cloudFormation.endpoint());
    if (!(command instanceof StackCommand)) {
      args.addAll(List.of("--endpoint=" + LocalEngine.endpoint(), "--poll=1"));
    }
    return CommandRun.of(command, args.toArray(new String[0]));
  }

  @Test
  void deploy_noStack_makesItAndTellsItsVersion() throws Exception {
    CommandRun run =
        deploy("--table-name", table, "--enable-aggregator", "false", "--wait", "--json");

    assertThat(run.exitCode()).as(run.err() + run.failure()).isZero();
    assertThat(run.json().get("result").asText()).isEqualTo("created");
    assertThat(run.json().at("/outputs/TableName").asText()).isEqualTo(table);
    assertThat(run.err()).contains("CREATE_IN_PROGRESS", "CREATE_COMPLETE");
    assertThat(cloudFormation.parameters("millrace"))
        .containsEntry("EnableAggregator", "false")
        .containsEntry("LogRetentionDays", "30");
    assertThat(cloudFormation.tags("millrace")).containsEntry("ManagedBy", "millrace");
    TableAdmin.of(dynamo, table).verify();
    assertThat(CommandRun.of(new CheckCommand(), checkArgs()).out()).contains("nothing is wrong");
  }

  private String[] checkArgs() {
    return new String[] {"--table=" + table, "--endpoint=" + LocalEngine.endpoint()};
  }

  /** The original put them back to their defaults with every deployment. */
  @Test
  void deploy_again_keepsWhatWasChosenBefore() {
    deploy(
        "--table-name",
        table,
        "--enable-aggregator=false",
        "--log-retention-days=7",
        "--tag=team=gateway",
        "--wait");

    CommandRun run = deploy("--deletion-protection", "true", "--tag=cost=42", "--wait");

    assertThat(run.out()).contains("updated, UPDATE_COMPLETE");
    assertThat(cloudFormation.parameters("millrace"))
        .containsEntry("DeletionProtection", "true")
        .containsEntry("LogRetentionDays", "7")
        .containsEntry("EnableAggregator", "false")
        .containsEntry("TableName", table);
    assertThat(cloudFormation.tags("millrace"))
        .containsEntry("team", "gateway")
        .containsEntry("cost", "42");
    assertThat(deploy("--wait").out()).contains("unchanged");
  }

  @Test
  void deploy_resourceFails_saysWhichAndWhy() {
    cloudFormation.failAt("AcquirePolicy");

    CommandRun run = deploy("--table-name", table, "--enable-aggregator=false", "--wait");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(Objects.requireNonNull(run.failure()).attributes())
        .containsEntry("resource", "AcquirePolicy")
        .containsEntry("reason", "AcquirePolicy is not allowed")
        .containsEntry("status", "ROLLBACK_COMPLETE");
    assertThat(deploy("--wait").failure()).hasMessageContaining("delete the stack");
  }

  @Test
  void deploy_jarGiven_putsItIntoTheBucketOnce() throws Exception {
    Path jar = Files.writeString(directory.resolve("function.jar"), "code");
    try (EmbeddedS3 s3 = EmbeddedS3.start()) {
      createBucket(s3.endpoint());
      String[] options = {
        "--table-name=" + table,
        "--code-bucket=code",
        "--jar=" + jar,
        "--s3-endpoint=" + s3.endpoint()
      };
      assertThat(deploy(options).failure()).isNull();
      String key = cloudFormation.parameters("millrace").get("CodeKey");
      Files.writeString(jar, "other code");
      assertThat(deploy(options).failure()).isNull();

      assertThat(key).matches("millrace/[0-9a-f]{64}\\.jar");
      assertThat(cloudFormation.parameters("millrace").get("CodeKey")).isNotEqualTo(key);
      assertThat(
              deploy("--code-bucket=code", "--jar=/nowhere", "--s3-endpoint=" + s3.endpoint())
                  .failure())
          .hasMessageContaining("mvn package");
    }
  }

  private static void createBucket(URI endpoint) {
    AwsOptions options = new AwsOptions();
    new picocli.CommandLine(
            picocli.CommandLine.Model.CommandSpec.create()
                .addMixin("aws", picocli.CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs("--s3-endpoint=" + endpoint);
    try (var s3 = options.s3()) {
      s3.createBucket(b -> b.bucket("code"));
    }
  }

  @Test
  void deploy_wrongUsage_sendsNothing() {
    assertThat(deploy("--growth", "maybe").exitCode()).isEqualTo(2);
    assertThat(deploy("--growth", "maybe").err()).contains("'maybe' is none of [on, off]");
    assertThat(deploy("--tag=aws:x=1").exitCode()).isEqualTo(2);
    assertThat(cloudFormation.asked("CreateStack")).isEmpty();
  }

  @Test
  void deploy_nobodyAnswers_saysSo() {
    cloudFormation.close();

    CommandRun run = deploy("--enable-aggregator=false");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.failure()).hasMessageContaining("CloudFormation cannot be asked");
  }

  @Test
  void deploy_tableNotReachable_saysThatTheStackIsMade() {
    CommandRun run =
        CommandRun.of(
            new DeployCommand().command(),
            "--cloudformation-endpoint=" + cloudFormation.endpoint(),
            "--endpoint=http://127.0.0.1:1",
            "--table-name=" + table,
            "--enable-aggregator=false",
            "--poll=1",
            "--wait");

    assertThat(run.failure()).hasMessageContaining("cannot be told its version");
  }

  @Test
  void status_andList_showTheStack() throws Exception {
    deploy("--table-name", table, "--enable-aggregator=false", "--stack-name=one", "--wait");

    CommandRun status = run(new StackCommand(), "status", "--stack-name=one", "--json");

    assertThat(status.json().get("healthy").asBoolean()).isTrue();
    assertThat(status.json().at("/parameters/TableName").asText()).isEqualTo(table);
    assertThat(run(new StackCommand(), "status", "--stack-name=one").out())
        .contains("CREATE_COMPLETE", "ManagedBy");
    assertThat(run(new StackCommand(), "status", "--stack-name=none").exitCode()).isEqualTo(3);
    assertThat(run(new StackCommand(), "list").out())
        .startsWith("one ")
        .contains("CREATE_COMPLETE");
  }

  @Test
  void delete_notConfirmed_deletesNothing() {
    deploy("--table-name", table, "--enable-aggregator=false", "--wait");

    assertThat(run(new DeleteCommand(), "--wait").exitCode()).isEqualTo(4);
    assertThat(cloudFormation.asked("DeleteStack")).isEmpty();
  }

  @Test
  void delete_confirmed_keepsTheTableUnlessToldOtherwise() throws Exception {
    deploy("--table-name", table, "--enable-aggregator=false", "--wait");

    CommandRun run = run(new DeleteCommand(), "--yes", "--wait", "--json");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.json().get("tableDeleted").asBoolean()).isFalse();
    assertThat(TableAdmin.of(dynamo, table).exists()).isTrue();
    assertThat(run(new DeleteCommand(), "--yes").exitCode()).isEqualTo(3);
  }

  @Test
  void delete_withTable_deletesItToo() {
    deploy("--table-name", table, "--enable-aggregator=false", "--wait");

    assertThat(run(new DeleteCommand(), "--yes", "--with-table").exitCode()).isEqualTo(2);
    CommandRun run = run(new DeleteCommand(), "--yes", "--wait", "--with-table");

    assertThat(run.out()).contains("Table " + table + ": deleted");
    assertThat(TableAdmin.of(dynamo, table).exists()).isFalse();
  }

  @Test
  void template_printedOrWritten_isTheTemplate() throws Exception {
    Path file = directory.resolve("stack.json");

    assertThat(CommandRun.of(new TemplateCommand()).out()).isEqualTo(StackTemplate.load().pretty());
    assertThat(CommandRun.of(new TemplateCommand(), "--output=" + file).out()).isEmpty();
    assertThat(Files.readString(file)).isEqualTo(StackTemplate.load().pretty());
    JsonNode tree = CommandRun.of(new TemplateCommand(), "--json").json();
    assertThat(tree).isEqualTo(StackTemplate.load().tree());
    assertThat(CommandRun.of(new TemplateCommand(), "--output=/nowhere/x").failure())
        .hasMessageContaining("/nowhere/x");
  }
}
