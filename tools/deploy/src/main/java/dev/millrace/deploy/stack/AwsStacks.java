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
import software.amazon.awssdk.services.cloudformation.model.DescribeStackEventsResponse;
import software.amazon.awssdk.services.cloudformation.model.DescribeStacksResponse;
import software.amazon.awssdk.services.cloudformation.model.Parameter;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.Tag;

/** CloudFormation itself. */
public final class AwsStacks implements StackService {
  /** Most pages of events or stacks that are read. */
  private static final int MAX_PAGES = 100;

  private static final String ABSENT = "does not exist";
  private static final String NOTHING_TO_DO = "No updates are to be performed";

  private final CloudFormationClient client;

  /** Through {@code client}, which stays the caller's. */
  public AwsStacks(CloudFormationClient client) {
    this.client = client;
  }

  @Override
  public Optional<StackView> find(String stack) {
    try {
      return ask(() -> client.describeStacks(d -> d.stackName(stack)).stacks()).stream()
          .findFirst()
          .map(AwsStacks::view);
    } catch (StackRefusal e) {
      if (e.says(ABSENT)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public String create(StackChange change) {
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

  @Override
  public boolean update(StackChange change) {
    try {
      ask(
          () ->
              client.updateStack(
                  u ->
                      u.stackName(change.name())
                          .templateBody(change.template())
                          .capabilities(Capability.CAPABILITY_NAMED_IAM)
                          .parameters(parameters(change))
                          .tags(tags(change))));
      return true;
    } catch (StackRefusal e) {
      if (e.says(NOTHING_TO_DO)) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void delete(String stack) {
    ask(() -> client.deleteStack(d -> d.stackName(stack)));
  }

  @Override
  public List<StackEvent> eventsSince(String stack, String lastSeen) {
    List<StackEvent> newestFirst = new ArrayList<>();
    @Nullable String token = null;
    for (int page = 0; page < MAX_PAGES; page++) {
      @Nullable String from = token;
      DescribeStackEventsResponse found =
          ask(() -> client.describeStackEvents(d -> d.stackName(stack).nextToken(from)));
      for (var event : found.stackEvents()) {
        if (event.eventId().equals(lastSeen)) {
          Collections.reverse(newestFirst);
          return newestFirst;
        }
        newestFirst.add(
            new StackEvent(
                event.eventId(),
                event.logicalResourceId(),
                event.resourceType(),
                event.resourceStatusAsString(),
                text(event.resourceStatusReason())));
      }
      token = found.nextToken();
      if (token == null) {
        break;
      }
    }
    Collections.reverse(newestFirst);
    return newestFirst;
  }

  @Override
  public List<StackView> list(Map<String, String> tags) {
    List<StackView> stacks = new ArrayList<>();
    @Nullable String token = null;
    for (int page = 0; page < MAX_PAGES; page++) {
      @Nullable String from = token;
      DescribeStacksResponse found = ask(() -> client.describeStacks(d -> d.nextToken(from)));
      found.stacks().stream()
          .map(AwsStacks::view)
          .filter(stack -> stack.tags().entrySet().containsAll(tags.entrySet()))
          .forEach(stacks::add);
      token = found.nextToken();
      if (token == null) {
        break;
      }
    }
    return stacks;
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
    try {
      return call.get();
    } catch (CloudFormationException e) {
      throw new StackRefusal(e);
    } catch (SdkClientException e) {
      throw new MillraceException(
          "CloudFormation cannot be asked",
          Map.of(
              "reason", text(e.getMessage()), "todo", "check region, credentials and the network"),
          e);
    }
  }
}
