package dev.millrace.cli.deploy;

import dev.millrace.MillraceException;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import dev.millrace.deploy.stack.AwsStacks;
import dev.millrace.deploy.stack.Removal;
import dev.millrace.deploy.stack.StackView;
import dev.millrace.dynamodb.admin.TableAdmin;
import java.io.Console;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Deletes the stack, and with it the table if that is said too. */
@Command(
    name = "delete",
    description = {
      "Deletes the stack. The table and the buckets stay, with all that is in them,",
      "unless --with-table says that the table shall go too."
    })
public final class DeleteCommand implements ExtraCommand, Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Mixin private final StackOptions stack = new StackOptions();
  @Mixin private final AwsOptions aws = new AwsOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

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
      throw new ParameterException(
          spec.commandLine(), "--with-table needs --wait: the stack must be gone first");
    }
    PrintWriter err = spec.commandLine().getErr();
    if (!yes && !isConfirmed()) {
      err.println("millrace: not confirmed; nothing was deleted. Say --yes if nobody can be asked");
      return ExitCodes.REFUSED;
    }
    try (CloudFormationClient client = aws.cloudFormation()) {
      AwsStacks stacks = new AwsStacks(client);
      Optional<StackView> deleted =
          new Removal(stacks, stack.watch(stacks, err)).delete(stack.name(), stack.waits());
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

  @SuppressWarnings("SystemConsoleNull") // on Java 22 it is there also without a terminal
  private boolean isConfirmed() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    String what = withTable ? "the stack and its TABLE WITH ALL LIMITS" : "the stack";
    String answer =
        console.readLine("Type the name of the stack to delete %s (%s): ", what, stack.name());
    return stack.name().equals(answer);
  }

  private void report(StackView was, boolean tableToo) {
    PrintWriter out = spec.commandLine().getOut();
    String table = was.parameters().getOrDefault("TableName", "");
    if (stack.json()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("stack", was.name());
      json.put("result", stack.waits() ? "deleted" : "deleting");
      json.put("table", table);
      json.put("tableDeleted", tableToo);
      out.println(Json.line(json));
      return;
    }
    out.println("Stack " + was.name() + ": " + (stack.waits() ? "deleted" : "is being deleted"));
    out.println("Table " + table + ": " + (tableToo ? "deleted" : "kept, with all that is in it"));
  }
}
