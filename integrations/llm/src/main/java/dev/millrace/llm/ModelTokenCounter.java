package dev.millrace.llm;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A counter that uses the vocabulary of the model where it is public, else a token for every four
 * characters, rounded up.
 *
 * <p>A conversation sends its beginning again with every turn, so counts of longer texts are
 * cached. The cache is bounded by characters, not by texts. A text beyond {@link
 * #MAX_COUNTED_CHARS} is counted up to there, and the remainder in proportion.
 */
public final class ModelTokenCounter implements TokenCounter {
  /** Most characters of all texts whose counts are cached. */
  public static final long MAX_REMEMBERED_CHARS = 4_000_000;

  /** Longest text that is counted exactly. */
  public static final int MAX_COUNTED_CHARS = 1_000_000;

  /** Shorter texts are counted faster than they are looked up. */
  private static final int MIN_REMEMBERED_CHARS = 64;

  private static final long CHARS_PER_TOKEN = 4;

  /** The prefixes of names of models, longer prefixes first. */
  private static final List<Family> FAMILIES =
      List.of(
          new Family("gpt-4o", EncodingType.O200K_BASE),
          new Family("gpt-4.", EncodingType.O200K_BASE),
          new Family("chatgpt-4o", EncodingType.O200K_BASE),
          new Family("gpt-5", EncodingType.O200K_BASE),
          new Family("gpt-oss", EncodingType.O200K_BASE),
          new Family("o1", EncodingType.O200K_BASE),
          new Family("o3", EncodingType.O200K_BASE),
          new Family("o4", EncodingType.O200K_BASE),
          new Family("gpt-4", EncodingType.CL100K_BASE),
          new Family("gpt-3.5", EncodingType.CL100K_BASE),
          new Family("gpt-35", EncodingType.CL100K_BASE), // Azure's name for it
          new Family("text-embedding-3", EncodingType.CL100K_BASE),
          new Family("text-embedding-ada-002", EncodingType.CL100K_BASE));

  /** Loaded at first use, and large: shared by all. */
  private static final EncodingRegistry VOCABULARIES = Encodings.newLazyEncodingRegistry();

  private final Cache<Text, Long> counts =
      Caffeine.newBuilder()
          .maximumWeight(MAX_REMEMBERED_CHARS)
          .weigher((Text key, Long count) -> key.text().length())
          .build();

  private record Family(String prefix, EncodingType encoding) {}

  private record Text(EncodingType encoding, String text) {}

  @Override
  public long count(String model, String text) {
    EncodingType type = encodingOf(model);
    if (type == null) {
      return byCharacters(text.length());
    }
    if (text.length() > MAX_COUNTED_CHARS) {
      long first = exactly(type, text.substring(0, MAX_COUNTED_CHARS));
      return -Math.floorDiv(-first * text.length(), (long) MAX_COUNTED_CHARS);
    }
    if (text.length() < MIN_REMEMBERED_CHARS) {
      return exactly(type, text);
    }
    return counts.get(new Text(type, text), key -> exactly(key.encoding(), key.text()));
  }

  @Override
  public boolean isExact(String model) {
    return encodingOf(model) != null;
  }

  private static @Nullable EncodingType encodingOf(String model) {
    String name = model.substring(model.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    for (Family family : FAMILIES) {
      if (name.startsWith(family.prefix())) {
        return family.encoding();
      }
    }
    return null;
  }

  /** The text of a special token is plain text to a model that receives it in a message. */
  private static long exactly(EncodingType type, String text) {
    Encoding encoding = VOCABULARIES.getEncoding(type);
    return encoding.countTokensOrdinary(text);
  }

  private static long byCharacters(int length) {
    return -Math.floorDiv(-(long) length, CHARS_PER_TOKEN); // up: the caller never gains
  }
}
