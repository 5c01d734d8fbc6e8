package dev.millrace.server.json;

import java.nio.charset.StandardCharsets;
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
 * A reader of YAML files, of which JSON is a part, as strict as {@link JsonReader}. Only true,
 * false, null and whole numbers are values of their own; everything else is a text.
 */
public final class YamlFile {
  private static final int MAX_BYTES = 1_000_000;

  private YamlFile() {}

  /**
   * The result of {@code reader} on the fields of a file.
   *
   * @param file its name, for messages
   * @throws IllegalArgumentException if the text is wrong; the message has the file and the field
   */
  public static <T> T read(Path file, String text, Function<JsonFields, T> reader) {
    try {
      if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
        throw new IllegalArgumentException(
            "file %s is larger than %d bytes".formatted(file, MAX_BYTES));
      }
      Object document = yaml().load(text);
      if (document != null && !(document instanceof Map)) {
        throw new IllegalArgumentException("file %s must be names with values".formatted(file));
      }
      JsonFields fields =
          new JsonFields("", document instanceof Map<?, ?> map ? plain(map) : Map.of());
      T read = reader.apply(fields);
      fields.done();
      return read;
    } catch (YAMLException e) {
      throw new IllegalArgumentException(
          "file %s is not YAML: %s".formatted(file, e.getMessage()), e);
    } catch (ProblemException e) {
      throw new IllegalArgumentException(
          "file %s: %s".formatted(file, e.problem().members().get("detail")), e);
    }
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
      return list.stream().map(YamlFile::plain).toList();
    }
    return value instanceof Integer number ? (Object) number.longValue() : value;
  }

  private static Yaml yaml() {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setMaxAliasesForCollections(0);
    options.setNestingDepthLimit(JsonReader.MAX_DEPTH);
    return new Yaml(
        new SafeConstructor(options),
        new Representer(new DumperOptions()),
        new DumperOptions(),
        options,
        new PlainResolver());
  }

  /** Leaves times, octal numbers and fractions as texts. */
  private static final class PlainResolver extends Resolver {
    @Override
    protected void addImplicitResolvers() {
      addImplicitResolver(Tag.BOOL, Pattern.compile("true|false"), "tf");
      addImplicitResolver(Tag.INT, Pattern.compile("-?(0|[1-9][0-9]{0,17})"), "-0123456789");
      addImplicitResolver(Tag.NULL, Pattern.compile("null|~|"), "n~\0");
    }
  }
}
