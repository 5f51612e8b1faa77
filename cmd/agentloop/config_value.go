package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// set puts a value as TOML knows it into the field behind into. The answer is
// "" or what is wrong with the value's type, to be read after the key's name.
func set(into, value any) (wrong string) {
	switch p := into.(type) {
	case *string:
		return as(p, value, "a string")
	case *bool:
		return as(p, value, "true or false")
	case *int:
		n, ok := value.(int64)
		*p = int(n)
		return unless(ok, "an integer", value)
	case **int:
		n, ok := value.(int64)
		i := int(n)
		*p = &i
		return unless(ok, "an integer", value)
	case *float64:
		f, ok := number(value)
		*p = f
		return unless(ok, "a number", value)
	case **float64:
		f, ok := number(value)
		*p = &f
		return unless(ok, "a number", value)
	case *time.Duration:
		return setDuration(p, value)
	case *[]string:
		return setList(p, value)
	case *modes:
		return setModes(p, value)
	case *map[string]string:
		return setTable(p, value)
	case *map[string]any:
		if wrong := as(p, value, "a table"); wrong != "" {
			return wrong
		}
		return sendable(*p)
	}
	panic(fmt.Sprintf("config: no rule to set a %T", into))
}

func as[T any](into *T, value any, want string) string {
	v, ok := value.(T)
	*into = v
	return unless(ok, want, value)
}

func unless(ok bool, want string, value any) string {
	if ok {
		return ""
	}
	return "must be " + want + ", not " + kind(value)
}

// number takes integers and floats; infinities and NaN compare with no limit
// and are refused.
func number(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsInf(v, 0) && !math.IsNaN(v)
	}
	return 0, false
}

func setDuration(into *time.Duration, value any) string {
	const want = `a duration in quotes, such as "90s" or "30m"`
	text, ok := value.(string)
	if !ok {
		return unless(false, want, value)
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Sprintf("must be %s, not %q", want, short(text))
	}
	*into = d
	return ""
}

func setList(into *[]string, value any) string {
	const want = `a list of strings, such as ["a", "b"]`
	items, ok := value.([]any)
	if !ok {
		return unless(false, want, value)
	}
	list := make([]string, 0, len(items))
	for _, item := range items {
		text, ok := item.(string)
		if !ok {
			return unless(false, want, value) + " that holds " + kind(item)
		}
		list = append(list, text)
	}
	*into = list
	return ""
}

func setTable(into *map[string]string, value any) string {
	const want = "a table of strings"
	table, ok := value.(map[string]any)
	if !ok {
		return unless(false, want, value)
	}
	texts := make(map[string]string, len(table))
	for name, item := range table {
		text, ok := item.(string)
		if !ok {
			return unless(false, want, value) + " that holds " + kind(item)
		}
		texts[name] = text
	}
	*into = texts
	return ""
}

// kind names a TOML value's type for a message.
func kind(value any) string {
	switch value := value.(type) {
	case string:
		return "a string"
	case int64:
		return "an integer"
	case float64:
		if _, ok := number(value); !ok {
			return "infinite or NaN"
		}
		return "a float"
	case bool:
		return "a boolean"
	case time.Time:
		return "a date"
	case map[string]any:
		return "a table"
	}
	return "an array"
}

// fromText turns what stands in a variable or behind a flag into the value that
// set takes for this field. A text that does not parse stays a string, and set
// says what is wanted. A list has one item a line in a variable; flags that may
// be repeated come as several texts.
func fromText(into any, texts []string) any {
	last := ""
	if len(texts) > 0 {
		last = texts[len(texts)-1]
	}
	switch into.(type) {
	case *bool:
		if b, err := strconv.ParseBool(last); err == nil {
			return b
		}
	case *int, **int:
		if n, err := strconv.ParseInt(last, 10, 64); err == nil {
			return n
		}
	case *float64, **float64:
		if f, err := strconv.ParseFloat(last, 64); err == nil {
			return f
		}
	case *[]string, *modes:
		items := make([]any, len(texts))
		for i, text := range texts {
			items[i] = text
		}
		return items
	}
	return last
}

// lines splits a variable's value into items: one a line, blank ones left out.
func lines(text string) []string {
	var items []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			items = append(items, line)
		}
	}
	return items
}

// short keeps a message to one line, whatever was typed.
func short(text string) string {
	if len(text) > 60 {
		return text[:57] + "..."
	}
	return text
}
