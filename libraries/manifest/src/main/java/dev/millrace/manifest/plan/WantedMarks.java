package dev.millrace.manifest.plan;

import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ManagedAdmin;
import dev.millrace.manifest.EntitySpec;
import dev.millrace.manifest.LevelSpec;
import dev.millrace.manifest.SpecSink;
import dev.millrace.manifest.SpecSource;
import dev.millrace.manifest.SystemSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The marks of the whole desired state, page by page. */
final class WantedMarks implements SpecSink {
  private final List<SortedMap<String, String>> pages = new ArrayList<>();

  private WantedMarks() {
    for (int number = 0; number < ManagedAdmin.PAGES; number++) {
      pages.add(new TreeMap<>());
    }
  }

  static List<SortedMap<String, String>> of(SpecSource source) {
    WantedMarks marks = new WantedMarks();
    source.read(marks);
    return marks.pages;
  }

  private void put(String key, String value) {
    pages.get(ManagedMarks.page(key)).put(key, value);
  }

  @Override
  public void system(SystemSpec spec) {
    put(ManagedMarks.SYSTEM, ManagedMarks.value(spec));
  }

  @Override
  public void resource(String name, LevelSpec spec) {
    put(ManagedMarks.level(LimitTarget.resource(name)), ManagedMarks.value(spec));
  }

  @Override
  public void entity(EntitySpec spec) {
    if (spec.recorded()) {
      put(ManagedMarks.entity(spec.id()), ManagedMarks.value(spec));
    }
    if (!spec.own().isNothing()) {
      put(ManagedMarks.level(LimitTarget.entity(spec.id())), ManagedMarks.value(spec.own()));
    }
    spec.resources()
        .forEach(
            (resource, level) ->
                put(
                    ManagedMarks.level(LimitTarget.entityResource(spec.id(), resource)),
                    ManagedMarks.value(level)));
  }
}
