package dev.millrace.cli.deploy;

import dev.millrace.MillraceException;
import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.Millrace;
import dev.millrace.cli.text.JsonText;
import dev.millrace.deploy.stack.StackClient;
import dev.millrace.deploy.stack.StackView;
import dev.millrace.dynamodb.admin.TableAdmin;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Deletes the stack, and its table when that is named too. */
@Command(
    name = "delete",
    description = {
      "Deletes the stack. The table and the buckets stay, with all that is in them,",
      "unless --with-table says that the table shall go too."
    })
public final class DeleteCommand extends CliCommand implements ExtraCommand, Callable<Integer> {
  @Mixin private final StackOptions stack = new StackOptions();
  @Mixin private final AwsOptions aws = new AwsOptions();

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  @Option(
      names = "--with-table",
      description = "Delete the table too, with all limits and balances; needs --wait.")
  private boolean withTable;

  @Override
  public Integer call() {
    if (withTable && !stack.waits()) {
      throw wrongUsage("--with-table needs --wait: the stack must be gone first");
    }
    PrintWriter err = spec().commandLine().getErr();
    if (!yes && !isConfirmed()) {
      err.println("millrace: not confirmed; nothing was deleted. Say --yes if nobody can be asked");
      return ExitCodes.REFUSED;
    }
    try (CloudFormationClient client = aws.cloudFormation()) {
      Optional<StackView> deleted =
          stack.deployer(new StackClient(client), err).delete(stack.name(), stack.waits());
      if (deleted.isEmpty()) {
        err.println("millrace: there is no stack " + stack.name());
        return ExitCodes.NOT_FOUND;
      }
      report(deleted.get(), withTable && deleteTable(deleted.get()));
      return ExitCodes.DONE;
    }
  }

  private boolean deleteTable(StackView was) {
    String table = was.parameters().getOrDefault("TableName", "");
    try (DynamoDbClient dynamo = aws.dynamo()) {
      return TableAdmin.of(dynamo, table).delete();
    } catch (SdkException e) {
      throw new MillraceException(
          "the stack is deleted, but its table is not",
          Map.of("table", table, "reason", String.valueOf(e.getMessage())),
          e);
    }
  }

  private boolean isConfirmed() {
    String what = withTable ? "the stack and its TABLE WITH ALL LIMITS" : "the stack";
    String question = "Type the name of the stack to delete %s (%s):".formatted(what, stack.name());
    return Millrace.surroundings(spec())
        .prompt()
        .apply(question)
        .filter(stack.name()::equals)
        .isPresent();
  }

  private void report(StackView was, boolean tableToo) {
    String table = was.parameters().getOrDefault("TableName", "");
    boolean gone = stack.waits();
    output(stack.json())
        .one(
            JsonText.object(
                "stack",
                was.name(),
                "result",
                gone ? "deleted" : "deleting",
                "table",
                table,
                "tableDeleted",
                tableToo),
            () ->
                List.of(
                    "Stack " + was.name() + ": " + (gone ? "deleted" : "is being deleted"),
                    "Table "
                        + table
                        + ": "
                        + (tableToo ? "deleted" : "kept, with all that is in it")));
  }
}
