package dev.millrace.server.json;

import dev.millrace.server.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads a file of YAML, of which JSON is a part, as strictly as {@link JsonReading}: the same
 * fields, the same refusals. Numbers, moments and durations are as they are written there: only
 * true, false, null and whole numbers are anything but texts.
 */
public final class YamlReading {
  private static final long MAX_BYTES = 1_000_000;

  private YamlReading() {}

  /**
   * What {@code reader} makes of the fields of {@code file}.
   *
   * @throws IllegalArgumentException if it cannot be read; the message names the file and the field
   */
  public static <T> T read(Path file, Function<JsonFields, T> reader) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IllegalArgumentException(
            "file %s is larger than %d bytes".formatted(file, MAX_BYTES));
      }
      Object document = yaml().load(Files.readString(file));
      JsonFields fields = new JsonFields("", fields(file, document));
      T read = reader.apply(fields);
      fields.done();
      return read;
    } catch (IOException e) {
      throw new IllegalArgumentException("file %s cannot be read: %s".formatted(file, e), e);
    } catch (YAMLException e) {
      throw new IllegalArgumentException(
          "file %s is not YAML: %s".formatted(file, e.getMessage()), e);
    } catch (ProblemException e) {
      throw new IllegalArgumentException(
          "file %s: %s".formatted(file, e.problem().members().get("detail")), e);
    }
  }

  private static Map<String, @Nullable Object> fields(Path file, @Nullable Object document) {
    if (document == null) {
      return Map.of();
    }
    if (!(document instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("file %s must be names with values".formatted(file));
    }
    return plain(map);
  }

  private static Map<String, @Nullable Object> plain(Map<?, ?> map) {
    Map<String, @Nullable Object> plain = new LinkedHashMap<>();
    map.forEach((name, value) -> plain.put(String.valueOf(name), plain(value)));
    return plain;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return plain(map);
    }
    if (value instanceof List<?> list) {
      return list.stream().map(YamlReading::plain).toList();
    }
    return value instanceof Integer number ? (Object) number.longValue() : value;
  }

  private static Yaml yaml() {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setMaxAliasesForCollections(0);
    options.setNestingDepthLimit(JsonReading.MAX_DEPTH);
    return new Yaml(
        new SafeConstructor(options),
        new Representer(new DumperOptions()),
        new DumperOptions(),
        options,
        new PlainResolver());
  }

  /** Knows no moments, no octal numbers and no fractions: they stay texts. */
  private static final class PlainResolver extends Resolver {
    @Override
    protected void addImplicitResolvers() {
      addImplicitResolver(Tag.BOOL, Pattern.compile("true|false"), "tf");
      addImplicitResolver(Tag.INT, Pattern.compile("-?(0|[1-9][0-9]{0,17})"), "-0123456789");
      addImplicitResolver(Tag.NULL, Pattern.compile("null|~|"), "n~\0");
    }
  }
}
