package dev.millrace.manifest;

import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.manifest.internal.ManifestApplier;
import dev.millrace.manifest.internal.ManifestFile;
import dev.millrace.manifest.internal.ManifestOutline;
import dev.millrace.manifest.internal.ManifestPlanner;
import dev.millrace.manifest.internal.ManifestReader;
import dev.millrace.manifest.internal.SpecSource;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * The desired state of a namespace, as a manifest states it: limits, entities and settings. What
 * {@code ./millrace limits plan} and {@code ./millrace limits apply} do, for programs.
 *
 * <pre>{@code
 * NamespaceManifest manifest = NamespaceManifest.of(Path.of("limits.yaml"));
 * NamespaceManifest.Result result = manifest.apply(admin.in("prod"), 4);
 * }</pre>
 */
public final class NamespaceManifest {
  private final ManifestOutline outline;

  private NamespaceManifest(SpecSource source) {
    this.outline = ManifestOutline.of(source);
  }

  /**
   * Reads and checks the manifest in a file, which is read again by every plan and apply.
   *
   * @throws ManifestException when any of it is wrong
   */
  public static NamespaceManifest of(Path file) {
    return new NamespaceManifest(new ManifestFile(file));
  }

  /**
   * Reads and checks a manifest.
   *
   * @throws ManifestException when any of it is wrong
   */
  public static NamespaceManifest parse(String yaml) {
    return new NamespaceManifest(sink -> ManifestReader.read(new StringReader(yaml), sink));
  }

  /** The name under which its managed entries are recorded. */
  public String name() {
    return outline.header().name();
  }

  /**
   * Passes the text of every difference from the current state to {@code each}; changes nothing.
   */
  public ChangeCounts plan(NamespaceAdmin namespace, Consumer<String> each) {
    return ManifestPlanner.of(
        namespace, outline, name(), null, change -> each.accept(change.toString()));
  }

  /**
   * Makes the namespace as the manifest states. A part that is up to date is not written, so a
   * second run writes nothing, and a run after one that died continues where that one was.
   *
   * @param concurrency most changes that are made at the same time
   */
  public Result apply(NamespaceAdmin namespace, int concurrency) {
    return ManifestApplier.of(namespace, outline, name(), concurrency, counts -> {});
  }

  /**
   * The result of applying a manifest.
   *
   * @param counts the changes made
   * @param refusals the reasons of the refused changes, the first of them
   * @param refused the number of refused changes
   */
  public record Result(ChangeCounts counts, List<String> refusals, long refused) {
    public Result {
      refusals = List.copyOf(refusals);
    }
  }
}
