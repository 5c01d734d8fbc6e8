package dev.millrace.server.adminapi;

import dev.millrace.admin.Page;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists as they are answered: {@code items}, and {@code cursor} when there is more. */
final class Lists {
  private Lists() {}

  static <T> Map<String, @Nullable Object> of(Page<T> page, Function<? super T, ?> json) {
    return of(page.items().stream().map(json).toList(), page.cursor());
  }

  static Map<String, @Nullable Object> of(List<?> items, @Nullable String cursor) {
    Map<String, @Nullable Object> list = new LinkedHashMap<>();
    list.put("items", items);
    list.put("cursor", cursor);
    return list;
  }
}
