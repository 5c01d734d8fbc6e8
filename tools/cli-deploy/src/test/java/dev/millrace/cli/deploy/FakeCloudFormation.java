package dev.millrace.cli.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Speaks CloudFormation's protocol over HTTP: forms in, XML out. It resolves parameters as
 * CloudFormation does (given, kept or by default), takes a few looks to get anything done, and
 * makes nothing but what {@link #onDone} makes.
 */
final class FakeCloudFormation implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LOOKS = 2;

  private final HttpServer server;
  private final Map<String, Stack> stacks = new LinkedHashMap<>();
  private final List<Map<String, String>> asked = new ArrayList<>();
  private BiConsumer<JsonNode, Map<String, String>> onDone = (template, parameters) -> {};
  private String failing = "";
  private int events;

  private static final class Stack {
    String id = "";
    String name = "";
    String status = "";
    String next = "";
    String template = "";
    int looks;
    Map<String, String> parameters = new LinkedHashMap<>();
    Map<String, String> tags = new LinkedHashMap<>();
    final List<String> events = new ArrayList<>();
  }

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  public FakeCloudFormation() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What is made of a template and its parameters when a stack is done. */
  public synchronized void onDone(BiConsumer<JsonNode, Map<String, String>> make) {
    onDone = make;
  }

  /** The next stack fails because of this resource. */
  public synchronized void failAt(String resource) {
    failing = resource;
  }

  /** Requests so far, as forms. */
  public synchronized List<Map<String, String>> asked(String action) {
    return asked.stream().filter(form -> action.equals(form.get("Action"))).toList();
  }

  public synchronized Map<String, String> parameters(String stack) {
    return Map.copyOf(stack(stack).parameters);
  }

  public synchronized Map<String, String> tags(String stack) {
    return Map.copyOf(stack(stack).tags);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    Map<String, String> form = new LinkedHashMap<>();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    for (String pair : body.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      form.put(decode(parts[0]), parts.length < 2 ? "" : decode(parts[1]));
    }
    int code = 200;
    String answer;
    try {
      answer = answer(form);
    } catch (Refused e) {
      code = 400;
      answer =
          "<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>"
              + xml(String.valueOf(e.getMessage()))
              + "</Message></Error><RequestId>r</RequestId></ErrorResponse>";
    }
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "text/xml");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private synchronized String answer(Map<String, String> form) {
    asked.add(form);
    String action = form.getOrDefault("Action", "");
    String result =
        switch (action) {
          case "DescribeStacks" -> describe(field(form, "StackName"));
          case "DescribeStackEvents" -> eventsOf(stack(field(form, "StackName")));
          case "CreateStack" -> create(form);
          case "UpdateStack" -> update(form);
          case "DeleteStack" -> delete(form);
          default -> throw new Refused("unknown action " + action);
        };
    return "<%sResponse><%sResult>%s</%sResult></%sResponse>"
        .formatted(action, action, result, action, action);
  }

  private Stack stack(String nameOrId) {
    for (Stack stack : stacks.values()) {
      boolean byName = stack.name.equals(nameOrId) && !stack.status.equals("DELETE_COMPLETE");
      if (byName || stack.id.equals(nameOrId)) {
        return stack;
      }
    }
    throw new Refused("Stack with id " + nameOrId + " does not exist");
  }

  private String create(Map<String, String> form) {
    Stack stack = new Stack();
    stack.name = field(form, "StackName");
    stack.id = "arn:stack/" + stack.name + "/" + stacks.size();
    stacks.put(stack.id, stack);
    begin(stack, form, "CREATE");
    return "<StackId>" + stack.id + "</StackId>";
  }

  private String update(Map<String, String> form) {
    Stack stack = stack(field(form, "StackName"));
    Map<String, String> parameters = new LinkedHashMap<>(stack.parameters);
    Map<String, String> tags = new LinkedHashMap<>(stack.tags);
    String template = stack.template;
    begin(stack, form, "UPDATE");
    if (parameters.equals(stack.parameters)
        && tags.equals(stack.tags)
        && template.equals(stack.template)) {
      stack.status = "UPDATE_COMPLETE";
      stack.next = "";
      throw new Refused("No updates are to be performed.");
    }
    return "<StackId>" + stack.id + "</StackId>";
  }

  private String delete(Map<String, String> form) {
    Stack stack = stack(field(form, "StackName"));
    stack.status = "DELETE_IN_PROGRESS";
    stack.next = "DELETE_COMPLETE";
    stack.looks = 0;
    event(stack, stack.name, "AWS::CloudFormation::Stack", "DELETE_IN_PROGRESS", "");
    return "";
  }

  private void begin(Stack stack, Map<String, String> form, String verb) {
    if (!"CAPABILITY_NAMED_IAM".equals(form.get("Capabilities.member.1"))) {
      throw new Refused("Requires capabilities : [CAPABILITY_NAMED_IAM]");
    }
    stack.template = field(form, "TemplateBody");
    stack.parameters = resolve(stack, form);
    stack.tags = new LinkedHashMap<>();
    for (int i = 1; form.containsKey("Tags.member." + i + ".Key"); i++) {
      stack.tags.put(
          field(form, "Tags.member." + i + ".Key"), field(form, "Tags.member." + i + ".Value"));
    }
    stack.status = verb + "_IN_PROGRESS";
    stack.looks = 0;
    event(stack, "Table", "AWS::DynamoDB::Table", verb + "_IN_PROGRESS", "");
    if (failing.isEmpty()) {
      stack.next = verb + "_COMPLETE";
      return;
    }
    stack.next = verb.equals("CREATE") ? "ROLLBACK_COMPLETE" : "UPDATE_ROLLBACK_COMPLETE";
    event(stack, "Table", "AWS::DynamoDB::Table", verb + "_FAILED", "Resource creation cancelled");
    stack.events.add(0, stack.events.remove(stack.events.size() - 1));
    event(stack, failing, "AWS::Some::Thing", verb + "_FAILED", failing + " is not allowed");
    failing = "";
  }

  /** Given, kept, or by default; what the template does not know is refused, as it is there. */
  private static Map<String, String> resolve(Stack stack, Map<String, String> form) {
    Map<String, String> resolved = new LinkedHashMap<>();
    JsonNode declared = tree(stack.template).get("Parameters");
    for (Map.Entry<String, JsonNode> parameter : declared.properties()) {
      resolved.put(parameter.getKey(), parameter.getValue().get("Default").asText());
    }
    for (int i = 1; form.containsKey("Parameters.member." + i + ".ParameterKey"); i++) {
      String name = field(form, "Parameters.member." + i + ".ParameterKey");
      boolean kept = "true".equals(form.get("Parameters.member." + i + ".UsePreviousValue"));
      String value =
          kept
              ? stack.parameters.get(name)
              : form.get("Parameters.member." + i + ".ParameterValue");
      if (value == null || !declared.has(name)) {
        throw new Refused("Parameters: [" + name + "] do not exist in the template");
      }
      resolved.put(name, value);
    }
    return resolved;
  }

  private String describe(String name) {
    StringBuilder answer = new StringBuilder("<Stacks>");
    List<Stack> found = name.isEmpty() ? List.copyOf(stacks.values()) : List.of(stack(name));
    for (Stack stack : found) {
      advance(stack);
      answer
          .append("<member><StackName>" + stack.name + "</StackName>")
          .append("<StackId>" + stack.id + "</StackId>")
          .append("<CreationTime>2026-01-01T00:00:00Z</CreationTime>")
          .append("<StackStatus>" + stack.status + "</StackStatus><Parameters>");
      stack.parameters.forEach(
          (key, value) ->
              answer.append(
                  "<member><ParameterKey>%s</ParameterKey><ParameterValue>%s</ParameterValue></member>"
                      .formatted(key, xml(value))));
      answer.append("</Parameters><Tags>");
      stack.tags.forEach(
          (key, value) ->
              answer.append(
                  "<member><Key>%s</Key><Value>%s</Value></member>".formatted(key, xml(value))));
      answer
          .append("</Tags><Outputs><member><OutputKey>TableName</OutputKey><OutputValue>")
          .append(xml(stack.parameters.getOrDefault("TableName", "")))
          .append("</OutputValue></member></Outputs></member>");
    }
    return answer.append("</Stacks>").toString();
  }

  private void advance(Stack stack) {
    if (stack.next.isEmpty() || ++stack.looks < LOOKS) {
      return;
    }
    stack.status = stack.next;
    stack.next = "";
    event(stack, stack.name, "AWS::CloudFormation::Stack", stack.status, "");
    if (stack.status.equals("CREATE_COMPLETE")) {
      onDone.accept(tree(stack.template), stack.parameters);
    }
  }

  private void event(Stack stack, String resource, String type, String status, String reason) {
    stack.events.add(
        ("<member><EventId>e%d</EventId><StackId>%s</StackId><StackName>%s</StackName>"
                + "<LogicalResourceId>%s</LogicalResourceId><ResourceType>%s</ResourceType>"
                + "<ResourceStatus>%s</ResourceStatus>"
                + "<ResourceStatusReason>%s</ResourceStatusReason></member>")
            .formatted(events++, stack.id, stack.name, resource, type, status, xml(reason)));
  }

  /** The newest first, as CloudFormation tells them. */
  private static String eventsOf(Stack stack) {
    StringBuilder answer = new StringBuilder("<StackEvents>");
    for (int i = stack.events.size() - 1; i >= 0; i--) {
      answer.append(stack.events.get(i));
    }
    return answer.append("</StackEvents>").toString();
  }

  private static JsonNode tree(String template) {
    try {
      return JSON.readTree(template);
    } catch (IOException e) {
      throw new Refused("Template format error: " + e.getMessage());
    }
  }

  private static String field(Map<String, String> form, String name) {
    return form.getOrDefault(name, "");
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String xml(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
