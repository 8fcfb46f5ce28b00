-- The first page as README.md: without citations, cells as plain blocks, links that also work on a package index.
local git = nil

local function settings(meta)
  git = pandoc.utils.stringify(meta.git)
  return nil
end

local function link(element)
  if element.target:match("^%a+:") or element.target:match("^#") then return nil end
  local file, anchor = element.target:match("^([^#]+)(.*)$")
  if file:match("%.ipynb$") then element.target = git .. "/" .. file end
  return element
end

local function drop_space_before_citations(inlines)
  local out = pandoc.Inlines {}
  for i, inline in ipairs(inlines) do
    local after = inlines[i + 1]
    if inline.t ~= "Cite" and not ((inline.t == "Space" or inline.t == "SoftBreak") and after and after.t == "Cite") then out:insert(inline) end
  end
  return out
end

return {
  { Meta = settings },
  { Inlines = drop_space_before_citations, Link = link, Div = function(div) return div.content end, RawBlock = function() return {} end },
}
