package dev.millrace.worker.kcl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A stream whose shards end, over the protocol of DynamoDB Streams: DynamoDB ends a shard every
 * four hours, DynamoDB Local never in the time of a test. A parent that has ended has two children,
 * each with records of its own. For one reader.
 */
final class RollingStream implements AutoCloseable {
  static final String PARENT = "shardId-00000001700000000000-aaaaaaaa";
  static final List<String> CHILDREN =
      List.of("shardId-00000001700000001000-bbbbbbbb", "shardId-00000001700000002000-cccccccc");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAGE = 2;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(4);

  /** By shard, the sequence numbers of its records. */
  private final Map<String, List<String>> numbers = new HashMap<>();

  RollingStream() throws IOException {
    numbers.put(
        PARENT, List.of("100000000000000000001", "100000000000000000002", "100000000000000000003"));
    numbers.put(CHILDREN.get(0), List.of("200000000000000000001", "200000000000000000002"));
    numbers.put(CHILDREN.get(1), List.of("300000000000000000001"));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  List<String> numbersOf(String shard) {
    return numbers.getOrDefault(shard, List.of());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode request = JSON.readTree(exchange.getRequestBody());
      String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
      String operation = target.substring(target.indexOf('.') + 1);
      Map<String, Object> reply =
          switch (operation) {
            case "DescribeStream" -> description(request.path("StreamArn").asText());
            case "GetShardIterator" -> Map.of("ShardIterator", iterator(request));
            case "GetRecords" -> records(request.path("ShardIterator").asText());
            default -> throw new IllegalArgumentException(operation);
          };
      byte[] bytes = JSON.writeValueAsBytes(reply);
      exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private Map<String, Object> description(String arn) {
    List<Map<String, Object>> shards = new ArrayList<>();
    Map<String, Object> parent = shard(PARENT);
    parent.put(
        "SequenceNumberRange",
        Map.of(
            "StartingSequenceNumber", "100000000000000000000",
            "EndingSequenceNumber", "100000000000000000009"));
    shards.add(parent);
    for (String child : CHILDREN) {
      Map<String, Object> open = shard(child);
      open.put("ParentShardId", PARENT);
      open.put("SequenceNumberRange", Map.of("StartingSequenceNumber", numbersOf(child).get(0)));
      shards.add(open);
    }
    return Map.of(
        "StreamDescription", Map.of("StreamArn", arn, "StreamStatus", "ENABLED", "Shards", shards));
  }

  private static Map<String, Object> shard(String id) {
    Map<String, Object> shard = new LinkedHashMap<>();
    shard.put("ShardId", id);
    return shard;
  }

  /** A shard and the place in it. */
  private String iterator(JsonNode request) {
    String shard = request.path("ShardId").asText();
    String number = request.path("SequenceNumber").asText();
    List<String> all = numbersOf(shard);
    int place =
        switch (request.path("ShardIteratorType").asText()) {
          case "AT_SEQUENCE_NUMBER" -> Math.max(0, all.indexOf(number));
          case "AFTER_SEQUENCE_NUMBER" -> all.indexOf(number) + 1;
          case "LATEST" -> all.size();
          default -> 0;
        };
    return shard + "/" + place;
  }

  private Map<String, Object> records(String iterator) {
    int slash = iterator.indexOf('/');
    String shard = iterator.substring(0, slash);
    int place = Integer.parseInt(iterator.substring(slash + 1));
    List<String> all = numbersOf(shard);
    int end = Math.min(all.size(), place + PAGE);
    Map<String, Object> reply = new LinkedHashMap<>();
    reply.put(
        "Records", all.subList(Math.min(place, end), end).stream().map(this::record).toList());
    if (!(shard.equals(PARENT) && end == all.size())) {
      reply.put("NextShardIterator", shard + "/" + end); // one that has ended says no more
    }
    return reply;
  }

  private Map<String, Object> record(String number) {
    return Map.of(
        "eventID",
        number,
        "eventName",
        "MODIFY",
        "eventSource",
        "aws:dynamodb",
        "dynamodb",
        Map.of(
            "ApproximateCreationDateTime",
            1_700_000_000,
            "SequenceNumber",
            number,
            "StreamViewType",
            "NEW_AND_OLD_IMAGES",
            "Keys",
            Map.of("PK", Map.of("S", "some"))));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
