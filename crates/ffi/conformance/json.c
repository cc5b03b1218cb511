/* Names and kinds as JSON has them. SPDX-License-Identifier: MIT OR Apache-2.0 */

#include "conformance.h"

/* The length of the UTF-8 character at the front of these bytes; 0 if there is none. */
static size_t utf8_character(const unsigned char *bytes, size_t length)
{
    unsigned char first = bytes[0];
    if (first < 0x80)
        return 1;
    size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || size > length)
        return 0;
    /* The second byte rules out long forms, surrogates, and what is above U+10FFFF. */
    unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (bytes[1] < least || bytes[1] > most)
        return 0;
    for (size_t i = 2; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    }
    return size;
}

static bool is_utf8(const unsigned char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t size = utf8_character(bytes + at, length - at);
        if (size == 0)
            return false;
        at += size;
    }
    return true;
}

static void print_text_of(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte == '"' || byte == '\\')
            print_format("\\%c", byte);
        else if (byte < 0x20 || byte == 0x7f)
            print_format("\\u%04x", byte);
        else
            print(bytes + i, 1);
    }
}

static void print_base64(const unsigned char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0)
            | (left > 2 ? bytes[i + 2] : 0);
        char four[4] = {
            digits[three >> 18], digits[three >> 12 & 63],
            left > 1 ? digits[three >> 6 & 63] : '=', left > 2 ? digits[three & 63] : '=',
        };
        print(four, sizeof four);
    }
}

void print_json(const char *bytes, size_t length)
{
    bool text = is_utf8((const unsigned char *)bytes, length);
    print_text(text ? "{\"text\":\"" : "{\"bytes\":\"");
    if (text)
        print_text_of(bytes, length);
    else
        print_base64((const unsigned char *)bytes, length);
    print_text("\"}");
}
