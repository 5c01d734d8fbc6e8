package dev.millrace.manifest.plan;

import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ManagedAdmin;
import dev.millrace.manifest.EntitySpec;
import dev.millrace.manifest.LevelSpec;
import dev.millrace.manifest.Sink;
import dev.millrace.manifest.Source;
import dev.millrace.manifest.SystemSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The marks of the whole desired state, page by page. */
final class WantedMarks implements Sink {
  private final List<SortedMap<String, String>> pages = new ArrayList<>();

  private WantedMarks() {
    for (int number = 0; number < ManagedAdmin.PAGES; number++) {
      pages.add(new TreeMap<>());
    }
  }

  static List<SortedMap<String, String>> of(Source source) {
    WantedMarks marks = new WantedMarks();
    source.read(marks);
    return marks.pages;
  }

  private void put(String key, String value) {
    pages.get(Marks.page(key)).put(key, value);
  }

  @Override
  public void system(SystemSpec spec) {
    put(Marks.SYSTEM, Marks.value(spec));
  }

  @Override
  public void resource(String name, LevelSpec spec) {
    put(Marks.level(LimitTarget.resource(name)), Marks.value(spec));
  }

  @Override
  public void entity(EntitySpec spec) {
    if (spec.recorded()) {
      put(Marks.entity(spec.id()), Marks.value(spec));
    }
    if (!spec.own().isNothing()) {
      put(Marks.level(LimitTarget.entity(spec.id())), Marks.value(spec.own()));
    }
    spec.resources()
        .forEach(
            (resource, level) ->
                put(
                    Marks.level(LimitTarget.entityResource(spec.id(), resource)),
                    Marks.value(level)));
  }
}
