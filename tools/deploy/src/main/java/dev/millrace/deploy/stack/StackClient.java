package dev.millrace.deploy.stack;

import dev.millrace.MillraceException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudformation.model.Capability;
import software.amazon.awssdk.services.cloudformation.model.CloudFormationException;
import software.amazon.awssdk.services.cloudformation.model.Parameter;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.Tag;

/** The requests to CloudFormation. */
public final class StackClient {
  /** Most events or stacks that are read. */
  private static final int MAX_READ = 10_000;

  private static final String ABSENT = "does not exist";
  private static final String NOTHING_TO_DO = "No updates are to be performed";

  private final CloudFormationClient client;

  /** Through {@code client}, which stays the caller's. */
  public StackClient(CloudFormationClient client) {
    this.client = client;
  }

  /** The stack of that name or id; empty when there is none. */
  public Optional<StackView> find(String stack) {
    List<Stack> found =
        ask(() -> client.describeStacks(d -> d.stackName(stack)).stacks(), ABSENT, List.of());
    return found.stream().findFirst().map(StackClient::view);
  }

  /** Begins to make a stack; its id. */
  String create(StackChange change) {
    return ask(
        () ->
            client
                .createStack(
                    c ->
                        c.stackName(change.name())
                            .templateBody(change.template())
                            .capabilities(Capability.CAPABILITY_NAMED_IAM)
                            .parameters(parameters(change))
                            .tags(tags(change)))
                .stackId());
  }

  /** Begins to change a stack; false when there is nothing to change. */
  boolean update(StackChange change) {
    return ask(
        () -> {
          client.updateStack(
              u ->
                  u.stackName(change.name())
                      .templateBody(change.template())
                      .capabilities(Capability.CAPABILITY_NAMED_IAM)
                      .parameters(parameters(change))
                      .tags(tags(change)));
          return true;
        },
        NOTHING_TO_DO,
        false);
  }

  /** Begins to delete a stack. */
  void delete(String stack) {
    ask(() -> client.deleteStack(d -> d.stackName(stack)));
  }

  /** The events of a stack since {@code lastSeen}, the oldest first. */
  List<StackEvent> eventsSince(String stack, String lastSeen) {
    List<StackEvent> events = new ArrayList<>();
    ask(
        () -> {
          client.describeStackEventsPaginator(d -> d.stackName(stack)).stackEvents().stream()
              .limit(MAX_READ)
              .takeWhile(event -> !event.eventId().equals(lastSeen))
              .forEach(
                  event ->
                      events.add(
                          new StackEvent(
                              event.eventId(),
                              event.logicalResourceId(),
                              event.resourceType(),
                              event.resourceStatusAsString(),
                              text(event.resourceStatusReason()))));
          return events;
        });
    Collections.reverse(events);
    return events;
  }

  /** The stacks that have all of {@code tags}. */
  public List<StackView> list(Map<String, String> tags) {
    return ask(
        () ->
            client.describeStacksPaginator().stacks().stream()
                .limit(MAX_READ)
                .map(StackClient::view)
                .filter(stack -> stack.tags().entrySet().containsAll(tags.entrySet()))
                .toList());
  }

  private static List<Parameter> parameters(StackChange change) {
    List<Parameter> parameters = new ArrayList<>();
    change
        .given()
        .forEach(
            (name, value) ->
                parameters.add(
                    Parameter.builder().parameterKey(name).parameterValue(value).build()));
    for (String name : change.kept()) {
      parameters.add(Parameter.builder().parameterKey(name).usePreviousValue(true).build());
    }
    return parameters;
  }

  private static List<Tag> tags(StackChange change) {
    return change.tags().entrySet().stream()
        .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
        .toList();
  }

  private static StackView view(Stack stack) {
    Map<String, String> parameters = new LinkedHashMap<>();
    stack.parameters().forEach(p -> parameters.put(p.parameterKey(), text(p.parameterValue())));
    Map<String, String> tags = new LinkedHashMap<>();
    stack.tags().forEach(tag -> tags.put(tag.key(), tag.value()));
    Map<String, String> outputs = new LinkedHashMap<>();
    stack.outputs().forEach(output -> outputs.put(output.outputKey(), output.outputValue()));
    return new StackView(
        stack.stackName(),
        stack.stackId(),
        stack.stackStatusAsString(),
        text(stack.stackStatusReason()),
        parameters,
        tags,
        outputs);
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static <T> T ask(Supplier<T> call) {
    return ask(call, null, null);
  }

  /**
   * The answer, or {@code otherwise} when the reason of a refusal has the text {@code expected}.
   */
  private static <T> T ask(Supplier<T> call, @Nullable String expected, @Nullable T otherwise) {
    try {
      return call.get();
    } catch (CloudFormationException e) {
      String reason =
          e.awsErrorDetails() == null ? text(e.getMessage()) : e.awsErrorDetails().errorMessage();
      if (otherwise != null && expected != null && reason.contains(expected)) {
        return otherwise;
      }
      throw new MillraceException("CloudFormation refused", Map.of("reason", reason), e);
    } catch (SdkClientException e) {
      throw new MillraceException(
          "CloudFormation cannot be asked",
          Map.of(
              "reason", text(e.getMessage()), "todo", "check region, credentials and the network"),
          e);
    }
  }
}
