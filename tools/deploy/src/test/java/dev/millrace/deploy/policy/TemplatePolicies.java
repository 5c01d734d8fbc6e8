package dev.millrace.deploy.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.deploy.template.StackTemplate;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The policies of the template as they are when everything in it is made for one table. */
final class TemplatePolicies {
  static final String ACCOUNT = "arn:aws:dynamodb:us-east-1:111122223333:table/";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern PLACE = Pattern.compile("\\$\\{([A-Za-z:.]+)\\}");
  private static final String REF = "Ref";

  private final JsonNode resources;
  private final Map<String, String> values = new HashMap<>();

  TemplatePolicies(String table, String region) {
    JsonNode template = StackTemplate.load().tree();
    resources = template.get("Resources");
    template
        .get("Parameters")
        .properties()
        .forEach(p -> values.put(p.getKey(), p.getValue().path("Default").asText()));
    values.put("TableName", table);
    values.put("SyncRegion", region);
    values.put("AWS::Region", "us-east-1");
    values.put("AWS::AccountId", "111122223333");
    values.put("AWS::Partition", "aws");
    values.put("Table.Arn", ACCOUNT + table);
    values.put("Table.StreamArn", Recorder.stream(table));
    values.put("DeadLetters.Arn", "arn:aws:sqs:us-east-1:111122223333:dead-letters");
    values.put("LostBatches.Arn", "arn:aws:sqs:us-east-1:111122223333:lost-batches");
    values.put("AggregatorLogs.Arn", "arn:aws:logs:us-east-1:111122223333:log-group:aggregator:*");
    values.put("SyncLogs.Arn", "arn:aws:logs:us-east-1:111122223333:log-group:sync:*");
    values.put("ArchiveBucket.Arn", "arn:aws:s3:::archive");
    values.put("SyncBucket.Arn", "arn:aws:s3:::sync");
  }

  String value(String name) {
    return values.getOrDefault(name, "");
  }

  Policy managed(String name) {
    return Policy.of(resolve(resources.at("/" + name + "/Properties/PolicyDocument")));
  }

  Policy ofRole(String name) {
    return Policy.of(resolve(resources.at("/" + name + "/Properties/Policies/0/PolicyDocument")));
  }

  private JsonNode resolve(JsonNode node) {
    if (node.isArray()) {
      ArrayNode resolved = JSON.createArrayNode();
      node.forEach(each -> resolved.add(resolve(each)));
      return resolved;
    }
    if (!node.isObject()) {
      return node;
    }
    if (node.has(REF)) {
      return text(node.get(REF).asText());
    }
    if (node.has("Fn::GetAtt")) {
      return text(node.at("/Fn::GetAtt/0").asText() + "." + node.at("/Fn::GetAtt/1").asText());
    }
    if (node.has("Fn::If")) {
      return resolve(node.at("/Fn::If/1")); // everything is made
    }
    if (node.has("Fn::Sub")) {
      Matcher places = PLACE.matcher(node.get("Fn::Sub").asText());
      StringBuilder filled = new StringBuilder();
      while (places.find()) {
        places.appendReplacement(filled, Matcher.quoteReplacement(text(places.group(1)).asText()));
      }
      return new TextNode(places.appendTail(filled).toString());
    }
    ObjectNode resolved = JSON.createObjectNode();
    node.properties().forEach(each -> resolved.set(each.getKey(), resolve(each.getValue())));
    return resolved;
  }

  private JsonNode text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the template refers to " + name);
    }
    return new TextNode(value);
  }
}
