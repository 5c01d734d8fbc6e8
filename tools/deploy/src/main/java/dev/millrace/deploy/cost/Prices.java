package dev.millrace.deploy.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The prices of units.
 *
 * @param region where
 * @param date as of when
 * @param of each price by its name
 */
public record Prices(String region, String date, Map<String, Double> of) {
  private static final String OWN = "/dev/millrace/deploy/prices.json";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Keeps the prices as they are now. */
  public Prices {
    of = Map.copyOf(of);
  }

  /** Those that come with this version. */
  public static Prices own() {
    try (InputStream in = Prices.class.getResourceAsStream(OWN)) {
      if (in == null) {
        throw new IllegalStateException("the build left out " + OWN);
      }
      return parse(JSON.readTree(in), Map.of());
    } catch (IOException e) {
      throw new IllegalStateException(OWN + " cannot be read", e);
    }
  }

  /**
   * Those of a file of the same form. What it does not name is as in {@link #own}.
   *
   * @throws IllegalArgumentException when it names something else, or is no such file
   */
  public static Prices read(Path file) {
    try {
      return parse(JSON.readTree(Files.readAllBytes(file)), own().of());
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " is no file of prices: " + e.getMessage(), e);
    }
  }

  private static Prices parse(JsonNode root, Map<String, Double> otherwise) {
    Map<String, Double> prices = new LinkedHashMap<>(otherwise);
    for (Map.Entry<String, JsonNode> price : root.path("prices").properties()) {
      if (!otherwise.isEmpty() && !otherwise.containsKey(price.getKey())) {
        throw new IllegalArgumentException(
            "price '%s' is none of %s".formatted(price.getKey(), otherwise.keySet()));
      }
      if (!price.getValue().isNumber() || price.getValue().asDouble() < 0) {
        throw new IllegalArgumentException(
            "price '%s' is no number from 0 on: %s".formatted(price.getKey(), price.getValue()));
      }
      prices.put(price.getKey(), price.getValue().asDouble());
    }
    return new Prices(
        root.path("region").asText("unknown"), root.path("date").asText("unknown"), prices);
  }

  double price(String name) {
    Double price = of.get(name);
    if (price == null) {
      throw new IllegalStateException("there is no price " + name);
    }
    return price;
  }
}
