package dev.millrace.admin.internal;

import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import java.util.LinkedHashMap;
import java.util.Map;

/** Factories of refusals with their attributes in the given order. */
public final class ChangeRefusals {
  private ChangeRefusals() {}

  /** A refusal with one attribute. */
  public static ChangeRefusedException of(Reason reason, String name, Object value) {
    return new ChangeRefusedException(reason, Map.of(name, value));
  }

  /** A refusal with two attributes. */
  public static ChangeRefusedException of(
      Reason reason, String name1, Object value1, String name2, Object value2) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put(name1, value1);
    attributes.put(name2, value2);
    return new ChangeRefusedException(reason, attributes);
  }

  /** A refusal with three attributes. */
  public static ChangeRefusedException of(
      Reason reason,
      String name1,
      Object value1,
      String name2,
      Object value2,
      String name3,
      Object value3) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put(name1, value1);
    attributes.put(name2, value2);
    attributes.put(name3, value3);
    return new ChangeRefusedException(reason, attributes);
  }
}
