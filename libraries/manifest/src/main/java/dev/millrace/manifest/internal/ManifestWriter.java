package dev.millrace.manifest.internal;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A writer of manifests, part by part. The parts come as system, resources, entities. */
public final class ManifestWriter implements SpecSink {
  /** The texts that need no quotes in any YAML version. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./@-]*");

  /** The texts that some parsers take for another type. */
  private static final Pattern SPECIAL = Pattern.compile("(?i)true|false|null|yes|no|on|off|y|n");

  private final PrintWriter out;
  private boolean resourcesBegun;
  private boolean entitiesBegun;

  /** Writes to {@code out}, beginning with the version. */
  public ManifestWriter(PrintWriter out) {
    this.out = out;
    out.println("version: 1");
  }

  @Override
  public void system(SystemSpec spec) {
    Map<String, Object> fields = SpecFields.of(spec);
    if (!fields.isEmpty()) {
      out.println("system:");
      write(fields, "  ");
    }
  }

  @Override
  public void resource(String name, LevelSpec spec) {
    Map<String, Object> fields = SpecFields.of(spec);
    fields.remove("disabled", false);
    if (fields.isEmpty()) {
      return;
    }
    if (!resourcesBegun) {
      out.println("resources:");
      resourcesBegun = true;
    }
    piece(name, fields);
  }

  @Override
  public void entity(EntitySpec spec) {
    if (!entitiesBegun) {
      out.println("entities:");
      entitiesBegun = true;
    }
    piece(spec.id(), SpecFields.of(spec, /* withReserved= */ false));
  }

  private void piece(String name, Map<String, Object> fields) {
    out.println("  " + quoted(name) + (fields.isEmpty() ? ": {}" : ":"));
    write(fields, "    ");
  }

  private void write(Map<?, ?> fields, String indent) {
    fields.forEach(
        (name, value) -> {
          String start = indent + quoted(String.valueOf(name)) + ":";
          if (value instanceof Map<?, ?> map) {
            out.println(start + (map.isEmpty() ? " {}" : ""));
            write(map, indent + "  ");
          } else if (value instanceof List<?> list) {
            out.println(start);
            list.forEach(item -> out.println(indent + "  - " + inline(item)));
          } else {
            out.println(start + " " + inline(value));
          }
        });
  }

  private static String inline(Object value) {
    if (value instanceof Map<?, ?> map) {
      StringBuilder text = new StringBuilder("{");
      map.forEach(
          (name, each) -> {
            text.append(text.length() == 1 ? "" : ", ").append(name).append(": ");
            text.append(inline(each));
          });
      return text.append("}").toString();
    }
    return value instanceof String text ? quoted(text) : String.valueOf(value);
  }

  private static String quoted(String text) {
    if (PLAIN.matcher(text).matches() && !SPECIAL.matcher(text).matches()) {
      return text;
    }
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || (c >= 0x80 && c < 0xa0) || Character.isSurrogate(c)) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
